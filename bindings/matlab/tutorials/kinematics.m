% kinematics.m -- where the links are, how the hand moves, and how to bring it to a place
%
% Run it with the toolbox on the path: addpath build/matlab, then run('bindings/matlab/tutorials/kinematics.m').

% A robot is a structure LP of constants, its state a structure SV. init_LP(n) makes a chain of n links on a base, which we
% change: the second and third joint turn about axes of their own.
LP = init_LP(3);
LP.Qi(1, 2) = pi / 2;
SV = init_SV(LP);
SV.q = [0.4; 0.7; -0.9];

% Attitudes and centroids of all links from the base outward; they are kept in SV.
SV = calc_aa(LP, SV);
SV = calc_pos(LP, SV);

% The hand: end-point 1, at the end of the joints from the base to it.
joints = j_num(LP, 1);
[hand, attitude] = f_kin_e(LP, SV, joints);
fprintf('hand at [%.3f %.3f %.3f] m\n', hand);

% The Jacobian gives its velocity for joint rates, while the base rests. We compare with a difference quotient.
J = calc_je(LP, SV, joints);
qd = [0.2; -0.1; 0.3];
h = 1e-6;
moved = SV;
moved.q = SV.q + h * qd;
moved = calc_pos(LP, calc_aa(LP, moved));
difference = (f_kin_e(LP, moved, joints) - hand) / h;
fprintf('velocity of the hand [%.4f %.4f %.4f] m/s, by difference [%.4f %.4f %.4f]\n', J(1:3, :) * qd, difference);
assert(norm(J(1:3, :) * qd - difference) < 1e-5);

% The same with freebody.Model, which takes any model file too, and inverse kinematics: a circle in the air.
m = freebody.Model(LP);
q = m.neutral();
q(8:10) = SV.q;
angles = linspace(0, 2 * pi, 60);
path = zeros(3, 60);
solution = zeros(3, 60);
for k = 1:60
  goal = hand + 0.2 * [0; cos(angles(k)) - 1; sin(angles(k))];
  q = m.inverse_kinematics(q, 'end3', goal);
  path(:, k) = m.pose(q, 'end3');
  solution(:, k) = q(8:10);
  assert(norm(path(:, k) - goal) < 1e-6);
end

f = tutorial_figure();
subplot(1, 2, 1);
plot(path(2, :), path(3, :));
axis equal
grid on
xlabel('y [m]'); ylabel('z [m]');
subplot(1, 2, 2);
plot(angles, solution');
grid on
xlabel('angle along the circle [rad]'); ylabel('q [rad]');
legend('q1', 'q2', 'q3');
tutorial_figure(f, 'kinematics');
