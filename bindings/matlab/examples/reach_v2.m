% reach_v2.m -- in the idiom of SpaceDyn version 2: LP, SV, and the generalized Jacobian in the loop
%
% A free-floating arm moves its hand along a straight line by resolved motion rate control, without any force on the base.
global Ez Gravity d_time
Ez = [0 0 1]';
Gravity = [0 0 0]';
d_time = 0.01;

LP = init_LP(6);
LP.Qi(1, :) = [0 pi/2 0 pi/2 -pi/2 pi/2];
LP.m = [6 6 4 3 2 1];
LP.mass = LP.m0 + sum(LP.m);
LP.inertia = repmat(diag([0.05 0.3 0.3]), 1, 6);
SV = init_SV(LP);
SV.q = [0.3 0.8 -1.4 0.6 1.2 0.2]';
SV = calc_aa(LP, SV);
SV = calc_pos(LP, SV);
num_e = 1;
joints = j_num(LP, num_e);
[POS_e, ORI_e] = f_kin_e(LP, SV, joints);
start = POS_e;

Kp = diag([1000 1000 600 150 80 20]);
Kd = diag([200 200 120 30 16 4]);
q_d = SV.q;
hand = [];
for time = 0:d_time:4
  velocity = [-0.05 * sin(pi * time / 4); 0; 0.03 * sin(pi * time / 4); 0; 0; 0];
  GJ = calc_gj(LP, SV, num_e);
  qd_d = pinv(GJ) * velocity;
  q_d = q_d + qd_d * d_time;
  SV.tau = Kp * (q_d - SV.q) + Kd * (qd_d - SV.qd);
  SV = f_dyn_rk2(LP, SV);
  SV = calc_aa(LP, SV);
  SV = calc_pos(LP, SV);
  POS_e = f_kin_e(LP, SV, joints);
  hand = [hand POS_e];
end
HH = calc_hh(LP, SV);
P = HH(1:3, :) * [SV.v0; SV.w0; SV.qd];
fprintf('hand moved by %s m, base by %s m, momentum %.1e\n', mat2str((POS_e - start)', 4), mat2str(SV.R0', 4), norm(P));
