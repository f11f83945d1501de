% RUN_TEST  Runs one test of the toolbox and says how it went; the exit status is 1 when it fails.
%   run_test(TOOLBOX, DATA, NAME); run_one.m calls it
function run_test(toolbox, data, name)
warning('off', 'Octave:shadowed-function');
here = fileparts(mfilename('fullpath'));
addpath(toolbox, here);
try
  feval(name, data);
  printf('%s: passed\n', name);
catch e
  printf('%s: FAILED: %s\n', name, e.message);
  for k = 1:min(numel(e.stack), 6)
    printf('  %s, line %d\n', e.stack(k).name, e.stack(k).line);
  end
  exit(1);
end
end
