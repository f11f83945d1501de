% A tutorial runs through and writes its figure: octave-cli run_tutorial.m TOOLBOX TUTORIAL.m
args = argv();
toolbox = args{1};
file = args{2};
warning('off', 'all');
addpath(toolbox, fileparts(file));
[folder, name] = fileparts(file);
if exist([name '.svg'], 'file'), delete([name '.svg']); end
keep_name = name;
source(file);
text = fileread([keep_name '.svg']);
assert(numel(text) > 5000 && ~isempty(strfind(text, '<svg')) && ~isempty(strfind(text, '</svg>')));
