% BENCH_TOOLBOX  The toolbox beside m-code alone, for a free-floating arm of 6 joints.
%   octave-cli bench_toolbox.m TOOLBOX [check]
%
% Times f_dyn in both forms of call and a whole trajectory of 10 s in one call against pure_f_dyn.m, in one run, by CPU time,
% the least of several rounds. With `check` it fails unless f_dyn is 300 times and the trajectory 5000 times as fast.
args = argv();
warning('off', 'Octave:shadowed-function');
addpath(fileparts(mfilename('fullpath')));
addpath(args{1});
global Gravity d_time Ez
Gravity = [0; 0; 0];
Ez = [0; 0; 1];
d_time = 0.01;
n = 6;
LP = init_LP(n);
LP.Qi(1, :) = [0 pi/2 0 pi/2 -pi/2 pi/2];
SV = init_SV(LP);
SV.q = 0.1 * (1:n)';
SV.qd = 0.05 * ones(n, 1);
SV.tau = 0.2 * sin(1:n)';

a = pure_f_dyn(LP, SV);
b = f_dyn(LP, SV);
agree = max(abs([a.vd0; a.wd0; a.qdd] - [b.vd0; b.wd0; b.qdd]));
global BB SS S0 SE J_type c0 cc ce Qi Qe m0 m mass inertia0 inertia num_q
for name = fieldnames(LP)', eval([name{1} ' = LP.' name{1} ';']); end
[R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau] = ...
  deal(SV.R0, SV.A0, SV.v0, SV.w0, SV.q, SV.qd, SV.F0, SV.T0, SV.Fe, SV.Te, SV.tau);

steps = 1000;
[pure, v2, v1, pure_step, whole, v2_step] = deal(inf);
for round = 1:7 % CPU time, the least of seven: other programs may be running
  c = cputime; for k = 1:40, x = pure_f_dyn(LP, SV); end; pure = min(pure, (cputime - c) / 40);
  c = cputime; for k = 1:3000, x = f_dyn(LP, SV); end; v2 = min(v2, (cputime - c) / 3000);
  c = cputime; for k = 1:3000, [vd0, wd0, qdd] = f_dyn(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau); end
  v1 = min(v1, (cputime - c) / 3000);
  c = cputime; for k = 1:10, x = pure_f_dyn_rk(LP, SV); end; pure_step = min(pure_step, (cputime - c) / 10);
  c = cputime; for k = 1:1000, x = f_dyn_rk2(LP, SV); end; v2_step = min(v2_step, (cputime - c) / 1000);
  c = cputime; for k = 1:10, [last, log] = f_dyn_rk2(LP, SV, steps); end; whole = min(whole, (cputime - c) / 10);
end

printf('forward dynamics, 6 joints, largest difference %.1e\n', agree);
printf('  m-code alone               %9.1f us\n', 1e6 * pure);
printf('  f_dyn(LP, SV)              %9.1f us  %7.0f times as fast\n', 1e6 * v2, pure / v2);
printf('  f_dyn(R0, A0, ...)         %9.1f us  %7.0f\n', 1e6 * v1, pure / v1);
printf('10 s in %d steps of Runge-Kutta\n', steps);
printf('  m-code alone               %9.1f ms  (%d times a step)\n', 1e3 * steps * pure_step, steps);
printf('  f_dyn_rk2(LP, SV) a step   %9.1f ms  %7.0f times as fast\n', 1e3 * steps * v2_step, pure_step / v2_step);
printf('  f_dyn_rk2(LP, SV, steps)   %9.1f ms  %7.0f\n', 1e3 * whole, steps * pure_step / whole);
if numel(args) > 1 && strcmp(args{2}, 'check')
  ok = agree < 1e-11 && pure / v2 >= 300 && pure / v1 >= 300 && steps * pure_step / whole >= 5000;
  if ~ok, printf('FAILED: the toolbox must be 300 and 5000 times as fast\n'); end
  exit(double(~ok));
end
