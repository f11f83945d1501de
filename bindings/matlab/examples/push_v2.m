% push_v2.m -- SpaceDyn version 2 with forces at a hand: two arms, a target that is pushed by a spring
%
% A chaser with two arms touches a free target (a robot without joints) with its first hand; a spring and a damper between the
% two are computed in the loop, and act on both by Fe and F0.
global Ez Gravity d_time
Ez = [0 0 1]';
Gravity = [0 0 0]';
d_time = 0.002;

LP = init_LP(4);
LP.BB = [0 1 0 3];
LP.S0 = [1 0 1 0];
LP.SS = [-1 1 0 0; 0 -1 0 0; 0 0 -1 1; 0 0 0 -1];
LP.SE = [0 1 0 1];
LP.c0 = [0.5 0 -0.5 0; 0 0 0 0; 0 0 0 0];
LP.cc(:, 2, 3) = 0;
LP.ce = [0 0.5 0 0.5; 0 0 0 0; 0 0 0 0];
LP.Qi(3, 3) = pi;
SV = init_SV(LP);
SV.q = [0.4; -0.8; 0.3; 0.5];
hold_q = SV.q;

target = init_LP(0);
target.m0 = 60;
target.mass = 60;
ST = init_SV(target);
SV = calc_pos(LP, calc_aa(LP, SV));
[tip, axes_e] = f_kin_e(LP, SV, j_num(LP, 1));
ST.R0 = tip + [0.25; 0; 0];
ST.v0 = [-0.05; 0; 0];

k = 4000; c = 60; radius = 0.2; force = [];
for time = 0:d_time:6
  SV = calc_vel(LP, calc_pos(LP, calc_aa(LP, SV)));
  tip = f_kin_e(LP, SV, j_num(LP, 1));
  tip_v = SV.vv(:, 2) + cross(SV.ww(:, 2), tip - SV.RR(:, 2));
  gap = norm(ST.R0 - tip) - radius;
  direction = (ST.R0 - tip) / norm(ST.R0 - tip);
  f = 0;
  if gap < 0
    f = max(0, -k * gap - c * direction' * (ST.v0 - tip_v));
  end
  SV.Fe(:, 2) = -f * direction;
  ST.F0 = f * direction;
  SV.tau = 150 * (hold_q - SV.q) - 60 * SV.qd;
  SV = f_dyn_rk2(LP, SV);
  ST = f_dyn_rk2(target, ST);
  force = [force f];
end
SV = calc_pos(LP, calc_aa(LP, SV));
HH = calc_hh(LP, SV);
P = HH(1:3, :) * [SV.v0; SV.w0; SV.qd] + target.m0 * ST.v0;
fprintf('largest force %.1f N, target leaves with %.4f m/s, momentum off by %.1e\n', max(force), ST.v0(1), norm(P - [-3; 0; 0]));
