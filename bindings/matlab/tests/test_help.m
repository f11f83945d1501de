% Every function of SpaceDyn is there and explains itself; the .oct file knows all of them; the manual's examples run.
function test_help(data)
names = strsplit(['aw calc_aa calc_acc calc_gj calc_gj11 calc_hh calc_je calc_jr calc_jre calc_jt calc_jte calc_pos calc_vel ' ...
  'cross cx cy cz dc2eul dc2qtn dc2rpy eul2dc f_dyn f_dyn_f0 f_dyn_rk f_dyn_rk2 f_dyn_nb f_dyn_nb2 f_kin_e f_kin_j i_kine ' ...
  'init_LP init_SV int_eu int_eu2 int_sr int_sr2 j_num qtn2dc r_ne rpy2dc tilde tr2diff w2dQtn freebody_compat freebody_cache']);
for k = 1:numel(names)
  text = get_help_text(names{k});
  assert(~isempty(strfind(text, upper(names{k}))) && ~isempty(strfind(text, [names{k} '('])), '%s has no help', names{k});
end
for name = {'freebody.Model', 'freebody.Simulation', 'freebody.Run'}
  assert(~isempty(strfind(get_help_text(name{1}), upper(name{1}))), '%s has no help', name{1});
end
here = fileparts(mfilename('fullpath'));
listed = fileread(fullfile(here, '..', 'src', 'names.h'));
files = dir(fullfile(here, '..', 'toolbox', '*.m'));
for k = 1:numel(files)
  [folder, name] = fileparts(files(k).name);
  calls = ~isempty(strfind(fileread(fullfile(here, '..', 'toolbox', files(k).name)), ['freebody_mex(''' name ''', varargin']));
  assert(calls == ~isempty(strfind(listed, ['X(' name ')'])), '%s: names.h and the m-files differ', name);
end
manual(data);
end

% The examples of docs/matlab.md that need no more than the toolbox, as they are printed.
function manual(data)
root = fullfile(data, '..', '..');
text = fileread(fullfile(root, 'docs', 'matlab.md'));
blocks = regexp(text, '```matlab\n(.*?)```', 'tokens');
folder = pwd();
back = onCleanup(@() cd(folder));
run_count = 0;
for k = 1:numel(blocks)
  code = blocks{k}{1};
  if ~isempty(strfind(code, 'addpath')), continue, end
  code = strrep(code, 'plot(', 'numel(');
  code = strrep(code, '''pendulum.run''', 'tempname()');
  cd(root);
  evalc(code);
  run_count = run_count + 1;
end
assert(run_count == 2);
end
