% Scenarios run step by step and into folders; runs are read as columns and tables.
function test_run(data)
scenario = fullfile(data, '..', '..', 'scenarios', 'pendulum', 'pendulum.yaml');
s = freebody.Simulation(scenario);
[t, q, v] = s.sample([0 0.1 0.2]);
near(t, [0 0.1 0.2], 'times', 1e-12);
assert(isequal(size(q, 2), 3) && any(q(:, 3) ~= q(:, 1)));
s.run_to(0.5);
near(s.t, 0.5, 't', 1e-12);
assert(s.ledger().relative < 1e-6 && isequal(numel(s.q), size(q, 1)));
[p, R] = s.pose(s.frames{end});
near(R' * R, eye(3), 'pose', 1e-12);
folder = tempname();
r = freebody.Run.make(scenario, folder, {}, 1);
assert(strcmp(r.status, 'finished') && abs(r.t(end) - 1) < 1e-9);
assert(numel(r.names) > 0 && numel(r.signal(r.names{1})) == numel(r.t));
all = r.table();
assert(isfield(all, 't') && numel(fieldnames(all)) == numel(r.names) + 1);
file = [tempname() '.csv'];
r.export(file);
assert(~isempty(strfind(fileread(file), r.names{1})));
delete(file);
again = freebody.Run.make(scenario, folder, {}, 0.5);
assert(abs(again.t(end) - 0.5) < 1e-9);
fails(@() r.signal('no_such'), 'no_such');
fails(@() freebody.Run('no_such_folder'), 'no_such_folder');
fails(@() freebody.Simulation('no_such.yaml'), 'no_such.yaml');
fails(@() freebody.Simulation(scenario, {'no.such=1'}), 'no');
fails(@() freebody.Simulation(scenario, 3), 'cell array');
fails(@() s.run_to(NaN), 'NaN');
s.delete();
fails(@() s.run_to(1), 'was deleted');
assert(any(strfind(evalc('disp(s)'), 'deleted')));
clear r again
confirm_recursive_rmdir(false);
rmdir(folder, 's');
end
