%BUILD  Builds the toolbox with mex, in MATLAB, or with mkoctfile --mex, in Octave; CMake is not needed for it.
%   build                        takes the library from ../../build/lib, where `make` puts it
%   build(lib)                   lib: the folder of libfreebody_all.so
%   build(lib, out)              out: where the toolbox goes; default: the folder toolbox beside this file
%   build(lib, out, optimise)    an option of the compiler, '-O2' by default
%
%   Then addpath the folder. On Linux and macOS a link to the MEX file is made for each function, which saves an m-file a call;
%   without links, the m-files call freebody_mex.
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
if ~strcmp(full_path(out), full_path(fullfile(here, 'toolbox')))
  copyfile(fullfile(here, 'toolbox', '*'), out);
end
files = dir(fullfile(here, 'src', '*.c'));
sources = cell(1, numel(files));
for k = 1:numel(files), sources{k} = fullfile(here, 'src', files(k).name); end
include = ['-I' fullfile(here, '..', '..', 'include')];
gate = fullfile(out, ['freebody_mex.' mexext()]);
if exist('OCTAVE_VERSION', 'builtin')
  folder = pwd();
  cleanup = onCleanup(@() cd(folder));
  work = tempname();
  mkdir(work);
  cd(work); % mkoctfile leaves object files behind
  mkoctfile('--mex', optimise, include, sources{:}, ['-L' lib], '-lfreebody_all', ['-Wl,-rpath,' lib], '-o', gate);
  delete(fullfile(work, '*'));
  cd(folder);
  rmdir(work);
else
  mex('-R2017b', ['COPTIMFLAGS=' optimise ' -DNDEBUG'], include, sources{:}, ['-L' lib], '-lfreebody_all', ['LDFLAGS=$LDFLAGS -Wl,-rpath,' lib], '-output', gate);
end
if ~exist(gate, 'file'), error('freebody:build', 'build: the MEX file was not made; see the messages above'); end
if isunix(), links(out, gate); end
fprintf('built %s; now: addpath %s\n', gate, out);
end

function path = full_path(path)
if exist('OCTAVE_VERSION', 'builtin')
  path = canonicalize_file_name(path);
else
  [ok, info] = fileattrib(path);
  if ok, path = info.Name; else, path = ''; end
end
end

% NAME.mex for each m-file that calls the gateway by its own name.
function links(out, gate)
[folder, name, ending] = fileparts(gate);
files = dir(fullfile(out, '*.m'));
for k = 1:numel(files)
  [folder, own] = fileparts(files(k).name);
  if isempty(strfind(fileread(fullfile(out, files(k).name)), ['freebody_mex(''' own ''', varargin'])), continue, end
  system(['ln -sf ' name ending ' "' fullfile(out, [own ending]) '"']);
end
end
