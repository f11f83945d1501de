% build.m makes a toolbox that works, without CMake, from the library that make has built.
function test_build(data)
root = fullfile(data, '..', '..');
out = tempname();
addpath(fullfile(fileparts(mfilename('fullpath')), '..'));
library = getenv('FREEBODY_LIBRARY_FOLDER');
text = evalc('build(library, out, ''-O0'')');
for name = {'freebody_mex.mex', 'f_dyn.mex', 'freebody_mex.oct', 'f_dyn.oct'}
  assert(exist(fullfile(out, name{1}), 'file') > 0, name{1});
end
fails(@() build('/no/such/folder', out), 'libfreebody_all');
script = [tempname() '.m'];
write(script, sprintf(['warning(''off'', ''all''); addpath(''%s'');\n' ...
  'assert(~isempty(strfind(get_help_text(''f_dyn''), ''Forward dynamics'')));' ...
  'LP = init_LP(2); SV = init_SV(LP); SV.tau(:) = 1; S = f_dyn(LP, SV); m = freebody.Model(LP); ' ...
  'printf(''%%.6f %%d\\n'', S.qdd(2), m.nv);'], out));
[status, said] = system(sprintf('octave-cli --norc --no-history --quiet %s', script));
[LP, SV] = deal(init_LP(2), init_SV(init_LP(2)));
SV.tau(:) = 1;
assert(status == 0 && strcmp(strtrim(said), sprintf('%.6f 8', f_dyn(LP, SV).qdd(2))), said);
delete(script);
confirm_recursive_rmdir(false);
rmdir(out, 's');
end

function write(file, text)
id = fopen(file, 'w');
fprintf(id, '%s', text);
fclose(id);
end
