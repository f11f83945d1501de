% What the command warns of is a warning here too: motions not to be trusted, starts where nobody would put a robot.
function test_warnings(~)
wheel = write_file({'scenario: 1', 'model:', '  freebody: 1', '  bodies:', ...
  '    - {name: hull, joint: {type: free}, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}', ...
  '    - {name: wheel, parent: hull, joint: {name: axle, type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.1, 0, 0],', ...
  '       inertia: [0.01, 0.01, 0.01, 0, 0, 0]}', ...
  'start: {rates: {axle: 300}}', 'duration: 1 s', 'integrator: {method: rk4, step: 10 ms}'});
s = freebody.Simulation(wheel);
[text, id] = warned(@() s.run());
assert(strcmp(id, 'freebody:motion') && any(strfind(text, 'do not trust this motion')));
[text, id] = warned(@() s.run_to(1.1));
assert(isempty(text), 'it is said once');
folder = tempname();
[text, id] = warned(@() freebody.Run.make(wheel, folder));
assert(strcmp(id, 'freebody:motion') && any(strfind(text, 'do not trust this motion')));
[text, id] = warned(@() freebody.Run.make(wheel, folder, {'integrator.method=dopri5'}, 0.2));
assert(isempty(text), 'a good motion is silent');
clear s

buried = write_file({'scenario: 1', 'model:', '  freebody: 1', '  bodies:', ...
  '    - {name: arm, joint: {name: elbow, type: revolute, axis: [0, 1, 0], limits: [-10 deg, 10 deg]}, mass: 1,', ...
  '       com: [0.1, 0, 0], inertia: [0.004, 0.004, 0.004, 0, 0, 0]}', ...
  'start: {joints: {elbow: 40 deg}}', 'duration: 0.1 s'});
s = freebody.Simulation(buried);
wanted = 'the joint ''elbow'' starts at 40 deg, outside its limits of -10 to 10';
[text, id] = warned(@() s.run());
assert(strcmp(id, 'freebody:start') && strcmp(text, wanted));
[text, id] = warned(@() freebody.Run.make(buried, folder));
assert(strcmp(id, 'freebody:start') && strcmp(text, wanted));

% A finger without mass; the last warning is that of its mesh, or, of a run, of the joint.
hand = write_file({'<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>', ...
  '</link><link name="f"><visual><geometry><mesh filename="nix.stl"/></geometry></visual></link>', ...
  '<joint name="j" type="prismatic"><parent link="base"/><child link="f"/>', ...
  '<limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>'});
s = freebody.Simulation(hand);
[text, id] = warned(@() s.run_to(0.1));
assert(strcmp(id, 'freebody:start') && any(strfind(text, 'mesh ''nix.stl'' of body ''f'' is not there')), text);
[text, id] = warned(@() s.run_to(0.2));
assert(isempty(text), 'it is said once');
clear s
delete(hand);

pendulum = write_file({'freebody: 1', 'bodies:', ...
  '  - {name: rod, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01, 0, 0, 0]}'});
m = freebody.Model(pendulum);
m.gravity = [0; 0; -9.81];
[text, id] = warned(@() m.trajectory(1, 0, 0, 0.5, 200, 'euler'));
assert(strcmp(id, 'freebody:motion'));
clear s m
delete(wheel);
delete(buried);
delete(pendulum);
confirm_recursive_rmdir(false);
rmdir(folder, 's');
end

function file = write_file(lines)
file = [tempname() '.yaml'];
f = fopen(file, 'w');
fprintf(f, '%s\n', lines{:});
fclose(f);
end

% The last warning of ours while call() runs; '' when there is none.
function [text, id] = warned(call)
lastwarn('', '');
evalc('call();'); % quietly
[text, id] = lastwarn();
if ~strncmp(id, 'freebody:', 9), text = ''; id = ''; end
end
