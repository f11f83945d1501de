% What a run is exported to as HDF5, Octave's load reads: times, signals under names without dots, events. MATLAB's load does
% not read HDF5; h5read does.
function test_hdf5(data)
scenario = fullfile(data, '..', '..', 'scenarios', 'pendulum', 'pendulum.yaml');
event = ['events=[{name: ' char([195 188]) 'ber, when: q.hinge, crosses: 0}, {name: at the end, at: 2}]'];
folder = tempname();
file = [tempname() '.h5'];
for set = {{}, {event}}
  r = freebody.Run.make(scenario, folder, set{1}, 3);
  r.export(file);
  got = load(file);
  assert(isequal(sort(fieldnames(got)), {'events'; 'signals'; 't'}));
  assert(isequal(got.t(:), r.t(:)));
  assert(numel(fieldnames(got.signals)) == numel(r.names));
  for name = r.names(:)'
    assert(isequal(got.signals.(strrep(name{1}, '.', '_'))(:), r.signal(name{1})(:)));
  end
  part = load('-hdf5', file, 't');
  assert(isequal(part.t, got.t));
  delete(file);
end
assert(numel(got.events.t) == 4 && size(got.events.name, 1) == 4);
assert(any(strcmp(strtrim(strrep(cellstr(got.events.name), char(0), '')), [char([195 188]) 'ber'])));
clear r
confirm_recursive_rmdir(false);
rmdir(folder, 's');
end
