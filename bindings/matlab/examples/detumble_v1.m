% detumble_v1.m -- in the idiom of SpaceDyn version 1: everything in globals, positional calls, a fixed-step loop
%
% A satellite with a planar arm tumbles. A law in the loop damps the base by a torque and holds the joints by PD.
clear all
global BB SS S0 SE J_type c0 cc ce Qi Qe
global m0 m mass inertia0 inertia
global num_q Ez Gravity d_time

num_q = 3;
Ez = [0 0 1]';
Gravity = [0 0 0]';
d_time = 0.01;

BB = [0 1 2];
SS = [-1 1 0; 0 -1 1; 0 0 -1];
S0 = [1 0 0];
SE = [0 0 1];
J_type = ['R' 'R' 'R'];
c0 = [0.5 0 0; 0 0 0; 0 0 0];
cc = zeros(3, 3, 3);
cc(:, 1, 1) = [-0.4 0 0]';
cc(:, 1, 2) = [0.4 0 0]';
cc(:, 2, 2) = [-0.4 0 0]';
cc(:, 2, 3) = [0.4 0 0]';
cc(:, 3, 3) = [-0.2 0 0]';
ce = zeros(3, 3);
ce(:, 3) = [0.2 0 0]';
Qi = [0 pi/2 0; 0 0 0; 0 0 0];
Qe = zeros(3, 3);
m0 = 120;
m = [8 8 3];
mass = m0 + sum(m);
inertia0 = diag([15 20 25]);
inertia = [diag([0.05 0.5 0.5]) diag([0.05 0.5 0.5]) diag([0.02 0.1 0.1])];

R0 = [0 0 0]';
A0 = rpy2dc([0.1 -0.2 0.3])';
v0 = [0 0 0]';
w0 = [0.1 -0.05 0.2]';
q = [0.3 -0.6 0.4]';
qd = zeros(3, 1);
F0 = [0 0 0]';
Fe = zeros(3, 3);
Te = zeros(3, 3);
desired = q;

w_log = [];
for time = 0:d_time:20
  T0 = -40 * w0;
  tau = 40 * (desired - q) - 12 * qd;
  [R0, A0, v0, w0, q, qd] = f_dyn_rk2(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau);
  AA = calc_aa(A0, q);
  RR = calc_pos(R0, A0, AA, q);
  w_log = [w_log w0];
end
joints = j_num(1);
[POS_e, ORI_e] = f_kin_e(RR, AA, joints);
fprintf('after %g s: |w0| = %.2e rad/s, hand at %s\n', time, norm(w0), mat2str(POS_e', 4));
