% generalized_jacobian.m -- controlling the hand of a free-floating robot by J*
%
% While the arm moves, the base moves too. The ordinary Jacobian, made for a base that rests, misses the path; the generalized
% Jacobian J* of Umetani and Yoshida contains the base's reaction, by conservation of momentum.
LP = init_LP(6);
LP.Qi(1, :) = [0 pi/2 0 pi/2 -pi/2 pi/2];
LP.m = [6 6 4 3 2 1];
LP.mass = LP.m0 + sum(LP.m);
LP.inertia = repmat(diag([0.05 0.3 0.3]), 1, 6);
m = freebody.Model(LP);
start = m.neutral();
start(8:13) = [0.3; 0.8; -1.4; 0.6; 1.2; 0.2];

% The hand shall go 0.3 m along a straight line, in 10 s, without turning.
T = 10;
dt = 0.02;
times = 0:dt:T;
velocity = @(t) [-0.03 * (1 - cos(2 * pi * t / T)); 0; 0; 0; 0; 0];
hands = cell(1, 2);
for way = 1:2
  q = start;
  hands{way} = zeros(3, numel(times));
  for k = 1:numel(times)
    hands{way}(:, k) = m.pose(q, 'end6');
    if way == 1 % J*, and the motion of the base that follows from it
      v = m.resolved_rate(q, 'end6', velocity(times(k) + dt / 2));
    else % the ordinary Jacobian; the base still follows momentum
      J = m.jacobian(q, 'end6');
      rates = J(:, 7:12) \ velocity(times(k) + dt / 2);
      H = m.inertia(q);
      v = [-H(1:6, 1:6) \ (H(1:6, 7:12) * rates); rates];
    end
    q = m.integrate(q, v, dt);
  end
end
goal = hands{1}(:, 1) + [-0.3; 0; 0];
error_star = norm(hands{1}(:, end) - goal);
error_plain = norm(hands{2}(:, end) - goal);
fprintf('the hand misses its goal by %.1f mm with J*, by %.1f mm with the ordinary Jacobian\n', 1e3 * error_star, 1e3 * error_plain);
assert(error_star < 2e-3 && error_plain > 10 * error_star);

% SpaceDyn's function gives the same matrix.
SV = init_SV(LP);
SV.q = start(8:13);
SV = calc_pos(LP, calc_aa(LP, SV));
assert(norm(calc_gj(LP, SV, 1) - m.generalized_jacobian(start, 'end6')) < 1e-10);

f = tutorial_figure();
plot(hands{1}(1, :), hands{1}(3, :), hands{2}(1, :), hands{2}(3, :), goal(1), goal(3), 'o');
grid on
xlabel('x [m]'); ylabel('z [m]'); legend('J*', 'ordinary Jacobian', 'goal');
tutorial_figure(f, 'generalized_jacobian');
