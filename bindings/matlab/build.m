%BUILD  Builds the toolbox with mex, in MATLAB, or with mkoctfile, in Octave; CMake is not needed for it.
%   build                        takes the library from ../../build/lib, where `make` puts it
%   build(lib)                   lib: the folder of libfreebody_all.so
%   build(lib, out)              out: where the toolbox goes; default: the folder toolbox beside this file
%   build(lib, out, optimise)    an option of the compiler, '-O2' by default
%
%   Then addpath the folder. In Octave both the MEX file (mkoctfile --mex) and the .oct file are built, which is faster. On
%   Linux and macOS links to them are made for each function, which save an m-file a call; without links, the m-files call
%   freebody_mex.
function build(lib, out, optimise)
here = fileparts(mfilename('fullpath'));
if nargin < 1, lib = fullfile(here, '..', '..', 'build', 'lib'); end
if nargin < 2 || isempty(out), out = fullfile(here, 'toolbox'); end
if nargin < 3, optimise = '-O2'; end
lib = full_path(lib);
if ~exist(fullfile(lib, 'libfreebody_all.so'), 'file')
  error('freebody:build', 'build: there is no libfreebody_all.so in %s; run make first, or name its folder', lib);
end
if ~exist(out, 'dir'), mkdir(out); end
out = full_path(out);
if ~strcmp(out, full_path(fullfile(here, 'toolbox')))
  copyfile(fullfile(here, 'toolbox', '*'), out);
end
files = dir(fullfile(here, 'src', '*.c'));
sources = cell(1, numel(files));
for k = 1:numel(files), sources{k} = fullfile(here, 'src', files(k).name); end
include = ['-I' fullfile(here, '..', '..', 'include')];
library = {['-L' lib], '-lfreebody_all'};
if exist('OCTAVE_VERSION', 'builtin')
  gates = with_mkoctfile(here, out, sources, {optimise, include}, [library, {['-Wl,-rpath,' lib]}]);
else
  gates = {fullfile(out, ['freebody_mex.' mexext()])};
  mex('-R2017b', ['COPTIMFLAGS=' optimise ' -DNDEBUG'], include, sources{:}, library{:}, ...
      ['LDFLAGS=$LDFLAGS -Wl,-rpath,' lib], '-output', gates{1});
end
for k = 1:numel(gates)
  if ~exist(gates{k}, 'file'), error('freebody:build', 'build: %s was not made; see the messages above', gates{k}); end
  if isunix(), links(out, gates{k}); end
end
fprintf('built %s; now: addpath %s\n', gates{1}, out);
end

% The objects once, the MEX file and the .oct file from them.
function gates = with_mkoctfile(here, out, sources, flags, library)
gates = {fullfile(out, 'freebody_mex.mex'), fullfile(out, 'freebody_mex.oct')};
folder = pwd();
back = onCleanup(@() cd(folder));
work = tempname();
mkdir(work);
cd(work); % mkoctfile puts object files here
before = getenv('CFLAGS');
restore = onCleanup(@() setenv('CFLAGS', before));
setenv('CFLAGS', [strtrim(mkoctfile('-p', 'CFLAGS')) ' ' flags{1} ' -fexceptions']); % errors of the interpreter pass through
objects = cell(1, numel(sources));
for k = 1:numel(sources)
  objects{k} = sprintf('%d.o', k);
  mkoctfile('-c', flags{2}, sources{k}, '-o', objects{k});
end
mkoctfile('--mex', objects{:}, library{:}, '-o', gates{1});
write_help(fullfile(here, 'toolbox'), 'freebody_help.h');
mkoctfile(flags{:}, '-I.', ['-I' fullfile(here, 'src')], fullfile(here, 'octave', 'freebody_oct.cc'), objects{:}, library{:}, ...
          '-Wl,-Bsymbolic', '-o', gates{2});
cd(folder);
delete(fullfile(work, '*'));
rmdir(work);
end

% What help-texts.cmake does: the help of the m-files, for the .oct file.
function write_help(toolbox, file)
id = fopen(file, 'w');
fprintf(id, 'static const char freebody_help_freebody_mex[] = "";\n');
files = dir(fullfile(toolbox, '*.m'));
for k = 1:numel(files)
  [folder, name] = fileparts(files(k).name);
  text = regexp(fileread(fullfile(toolbox, files(k).name)), '^(%[^\n]*\n)+', 'match', 'once');
  fprintf(id, 'static const char freebody_help_%s[] = R"help(%s)help";\n', name, regexprep(text, '(^|\n)%', '$1'));
end
fclose(id);
end

function path = full_path(path)
if exist('OCTAVE_VERSION', 'builtin')
  path = canonicalize_file_name(path);
else
  [ok, info] = fileattrib(path);
  if ok, path = info.Name; else, path = ''; end
end
end

% A link to the gateway for each m-file that calls it by its own name.
function links(out, gate)
[folder, name, ending] = fileparts(gate);
files = dir(fullfile(out, '*.m'));
for k = 1:numel(files)
  [folder, own] = fileparts(files(k).name);
  if isempty(strfind(fileread(fullfile(out, files(k).name)), ['freebody_mex(''' own ''', varargin'])), continue, end
  system(['ln -sf ' name ending ' "' fullfile(out, [own ending]) '"']);
end
end
