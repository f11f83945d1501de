% freebody.Model agrees with SpaceDyn's functions and with itself, takes many states at once, and says what is wrong.
function test_model(data)
global Gravity d_time
Gravity = [0; 0; -1.6];
d_time = 0.01;
[LP, SV] = small_robot(4);
m = freebody.Model(LP);
m.gravity = Gravity;
qtn = dc2qtn(SV.A0');
q = [SV.R0; qtn(4); qtn(1:3); SV.q];
v = [SV.v0; SV.w0; SV.qd];
S = f_dyn(LP, SV);
a = [S.vd0; S.wd0; S.qdd];
wrenches = struct('frame', {}, 'force', {}, 'torque', {});
for i = find(LP.SE)
  wrenches(end + 1) = struct('frame', sprintf('end%d', i), 'force', SV.Fe(:, i), 'torque', SV.Te(:, i));
end
tau = [SV.F0; SV.T0; SV.tau];
near(m.forward(q, v, tau, wrenches), a, 'forward', 1e-12);
near(m.inverse(q, v, a, wrenches), tau, 'inverse', 1e-11);
near(m.inertia(q), calc_hh(LP, S), 'inertia', 1e-12);
near(m.inertia(q) * a + m.bias(q, v), m.inverse(q, v, a), 'bias', 1e-11);
near(m.forward(repmat(q, 1, 5), repmat(v, 1, 5), tau, wrenches), repmat(a, 1, 5), 'many states', 1e-12);
e = find(LP.SE)(1);
frame = sprintf('end%d', e);
joints = j_num(LP, 1);
[p, R, lin, ang] = m.pose(q, frame, v);
[p1, R1] = f_kin_e(LP, S, joints);
near([p R], [p1 R1], 'pose', 1e-12);
J = m.jacobian(q, frame);
near(J * v, [lin; ang], 'jacobian', 1e-12);
[GJ, columns] = m.generalized_jacobian(q, frame);
near(GJ, calc_gj(LP, S, 1), 'generalized_jacobian', 1e-11);
assert(isequal(columns, 7:6 + LP.num_q));
want = GJ * (1:LP.num_q)';
u = m.resolved_rate(q, frame, want);
near(J * u, want, 'resolved_rate', 1e-9);
near(m.momentum(q, u, SV.R0), zeros(6, 1), 'resolved_rate keeps momentum', 1e-9);
[T, V] = m.energy(q, v);
near(T, v' * m.inertia(q) * v / 2, 'energy', 1e-12);
near(V, -m.mass * Gravity' * m.centre_of_mass(q), 'potential', 1e-12);
SV.Fe(:) = 0; SV.Te(:) = 0; SV.F0(:) = 0; SV.T0(:) = 0;
[last, log] = f_dyn_rk2(LP, SV, 50);
[t, Q, W] = m.trajectory(q, v, [zeros(6, 1); SV.tau], 0.01, 50);
near(Q(8:end, :), log.q, 'trajectory q', 1e-11);
near(W, [log.v0; log.w0; log.qd], 'trajectory v', 1e-11);
near(m.trajectory(q, v, repmat([zeros(6, 1); SV.tau], 1, 50), 0.01, 50), t, 't', 0);
goal = m.pose(q + [zeros(7, 1); 0.05 * ones(4, 1)], frame);
q2 = m.inverse_kinematics(q, frame, goal);
near(m.pose(q2, frame), goal, 'inverse_kinematics', 1e-8);
fails(@() m.inverse_kinematics(q, frame, [100; 0; 0]), 'not reached');
near(m.integrate(q, v, 0), q, 'integrate', 1e-15);
files(m, LP, q, v, a, tau, data);
mistakes(m, q, v, tau);
end

function files(m, LP, q, v, a, tau, data)
for ending = {'.yaml', '.spacedyn.json'}
  file = [tempname() ending{1}];
  m.write(file);
  n = freebody.Model(file);
  n.gravity = m.gravity; % which the formats do not have
  near(n.forward(q, v, tau), m.forward(q, v, tau), ['written and read ' ending{1}], 1e-10);
  delete(file);
end
back = m.spacedyn();
for name = {'BB', 'SE', 'c0', 'Qi', 'm', 'm0', 'inertia', 'inertia0'}
  near(back.(name{1}), LP.(name{1}), ['spacedyn ' name{1}], 1e-12);
end
assert(strcmp(back.J_type, LP.J_type));
urdf = fullfile(data, '..', '..', 'scenarios', 'ets7', 'ets7.urdf');
P = init_LP(urdf);
SV = init_SV(P);
SV.tau(:) = 1;
assert(P.num_q > 5 && all(isfinite(f_dyn(P, SV).qdd)));
end

function mistakes(m, q, v, tau)
fails(@() m.forward(q(1:3), v, tau), 'q is 3 x 1; it must have');
fails(@() m.forward(q, v, [tau tau]), 'columns');
fails(@() m.forward(q, v, NaN(size(tau))), 'tau(1) is NaN');
fails(@() m.forward(q * 2, v, tau), 'quaternion');
fails(@() m.forward(q, v, tau, 3), 'frame, force and torque');
fails(@() m.forward(q, v, tau, struct('frame', 'hand', 'force', [0 0 0], 'torque', [0 0 0])), 'no frame ''hand''');
fails(@() m.pose(q, 'hand'), 'no frame ''hand''');
fails(@() m.pose(q, 99), 'the frame is 99');
fails(@() m.trajectory(q, v, tau, 0, 5), 'step is 0');
fails(@() m.trajectory(q, v, tau, 0.01, 5, 'magic'), 'no method ''magic''');
fails(@() freebody.Model('no_such_file.yaml'), 'no_such_file.yaml');
fails(@() freebody.Model(), 'give the name');
fails(@() freebody.Model(3), 'give a text');
m.delete();
fails(@() m.forward(q, v, tau), 'was deleted');
m.delete();
end
