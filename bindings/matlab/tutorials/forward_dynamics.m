% forward_dynamics.m -- an arm swings, and the satellite that carries it reacts
%
% Two ways: SpaceDyn's loop of steps, and a whole trajectory in one call.
global Gravity d_time
Gravity = [0; 0; 0];
d_time = 0.01;

LP = init_LP(2);
SV = init_SV(LP);
SV.tau = [0.5; -0.2]; % between the base and link 1, link 1 and link 2

% f_dyn gives accelerations for the forces in SV.
S = f_dyn(LP, SV);
fprintf('the base turns with %.4f rad/s^2, the joints with %.4f and %.4f rad/s^2\n', S.wd0(3), S.qdd);

% r_ne is its inverse: the forces that these accelerations need are those we started with.
force = r_ne(LP, S);
assert(norm(force - [SV.F0; SV.T0; SV.tau]) < 1e-10);

% SpaceDyn's way: a step of Runge-Kutta at a time, with a law in the loop. Here the torques stop after two seconds.
steps = 500;
turned = zeros(1, steps + 1);
loop = SV;
for k = 1:steps
  loop.tau = SV.tau * (k <= 200);
  loop = f_dyn_rk2(LP, loop);
  turned(k + 1) = atan2(loop.A0(2, 1), loop.A0(1, 1));
end

% One call for all steps: torques in columns, one a step.
m = freebody.Model(LP);
tau = zeros(m.nv, steps);
tau(7:8, 1:200) = repmat(SV.tau, 1, 200);
[t, q, v] = m.trajectory(m.neutral(), zeros(m.nv, 1), tau, d_time, steps);
assert(norm(q(8:9, end) - loop.q) < 1e-9);

% Nothing acts from outside: momentum stays zero, though everything moves.
L = m.momentum(q(:, end), v(:, end));
fprintf('after %g s: joints at %.3f and %.3f rad, base turned by %.3f rad, momentum %.1e\n', t(end), loop.q, turned(end), norm(L));
assert(norm(L) < 1e-9);

f = tutorial_figure();
subplot(2, 1, 1);
plot(t, q(8:9, :)');
grid on
ylabel('q [rad]'); legend('joint 1', 'joint 2');
subplot(2, 1, 2);
plot(t, turned);
grid on
xlabel('t [s]'); ylabel('base [rad]');
tutorial_figure(f, 'forward_dynamics');
