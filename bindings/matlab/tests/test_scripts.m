% Scripts in the old idiom run unchanged: v1 with globals, v2 with a law in the loop, two robots that touch.
function test_scripts(data)
folder = fullfile(fileparts(mfilename('fullpath')), '..', 'examples');
w = in_workspace(fullfile(folder, 'detumble_v1.m'));
assert(w.said('|w0|') < 1e-3);
text = evalc('w0 = script_value(fullfile(folder, ''reach_v2.m''), {''P'', ''POS_e'', ''start'', ''SV''});');
assert(norm(w0{1}) < 1e-9 && norm(w0{2} - w0{3} - [-0.127; 0; 0.076]) < 0.02 && norm(w0{4}.R0) > 1e-3);
text = evalc('w0 = script_value(fullfile(folder, ''push_v2.m''), {''P'', ''force'', ''ST''});');
assert(norm(w0{1} - [-3; 0; 0]) < 1e-9 && max(w0{2}) > 10 && w0{3}.v0(1) > -0.03);
end

% A script that clears everything is run in an Octave of its own level: its last words are what counts.
function w = in_workspace(file)
text = evalc('run_script(file)');
w.said = @(what) sscanf(text(strfind(text, what) + numel(what):end), ' = %g', 1);
end

function run_script(file)
source(file);
end

function values = script_value(file, names)
source(file);
for k = 1:numel(names), values{k} = eval(names{k}); end
end
