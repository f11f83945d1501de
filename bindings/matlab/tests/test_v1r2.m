% freebody_compat('v1r2') computes what SpaceDyn v1r2 computes. The numbers under reference/ are of the original m-files, run
% in Octave: spacedyn_v1r2.txt has ten steps of each integrator, spacedyn_v1r2_sample.dat lines of what its sample of a
% satellite with two joints prints, which must be the same texts.
function test_v1r2(data)
assert(strcmp(freebody_compat('v1r2'), 'off') && strcmp(freebody_compat(), 'v1r2'));
back = onCleanup(@() freebody_compat('off'));
integrators(load(fullfile(data, 'reference', 'spacedyn_v1r2.txt')));
sample(fileread(fullfile(data, 'reference', 'spacedyn_v1r2_sample.dat')));
assert(isequal(1 ./ dc2rpy(eye(3))', [-inf inf -inf])); % the signs of its zeros
end

function integrators(want)
global d_time Gravity
d_time = 0.02;
row = 0;
for n = [2 5]
  [LP, SV] = small_robot(n);
  set_globals(LP);
  Gravity = [0.3; -0.2; -1.5];
  for name = {'f_dyn_rk', 'f_dyn_rk2', 'f_dyn_nb', 'f_dyn_nb2', 'int_eu', 'int_eu2'}
    row = row + 1;
    got = ten_steps(name{1}, SV);
    near(got, want(row, 1:18 + 2*n)', [name{1} ', v1 form'], 1e-13); % rounding of ten steps
    S = SV;
    for k = 1:10
      if name{1}(1) == 'i', S = f_dyn(LP, S); end
      S = feval(name{1}, LP, S);
    end
    near([S.R0; S.A0(:); S.v0; S.w0; S.q; S.qd], got, [name{1} ', v2 form'], 1e-15);
  end
end
end

function got = ten_steps(name, SV)
[R0, A0, v0, w0, q, qd] = deal(SV.R0, SV.A0, SV.v0, SV.w0, SV.q, SV.qd);
for k = 1:10
  if name(1) == 'i'
    [vd0, wd0, qdd] = f_dyn(R0, A0, v0, w0, q, qd, SV.F0, SV.T0, SV.Fe, SV.Te, SV.tau);
    [R0, A0, v0, w0, q, qd] = feval(name, R0, A0, v0, w0, vd0, wd0, q, qd, qdd);
  else
    [R0, A0, v0, w0, q, qd] = feval(name, R0, A0, v0, w0, q, qd, SV.F0, SV.T0, SV.Fe, SV.Te, SV.tau);
  end
end
got = [R0; A0(:); v0; w0; q; qd];
end

function sample(want)
global d_time Gravity
LP = init_LP(2);
LP.BB = [0 1]; LP.SS = [-1 1; 0 -1]; LP.S0 = [1 0]; LP.SE = [0 1]; LP.J_type = 'RR';
LP.c0 = [0.5 0; 0 0; 0 0]; LP.Qi = zeros(3, 2); LP.Qe = zeros(3, 2); LP.ce = [0 0.5; 0 0; 0 0];
LP.cc = zeros(3, 2, 2);
LP.cc(:,1,1) = [-0.5 0 0]; LP.cc(:,1,2) = [0.5 0 0]; LP.cc(:,2,2) = [-0.5 0 0];
LP.m0 = 1000; LP.m = [70 30]; LP.mass = 1100;
LP.inertia0 = 166.67 * eye(3); LP.inertia = repmat(diag([0.0625 4.1979 4.1979]), 1, 2);
set_globals(LP);
d_time = 0.01;
Gravity = zeros(3, 1);
[R0, A0, v0, w0, q, qd] = deal(zeros(3, 1), eye(3), zeros(3, 1), zeros(3, 1), zeros(2, 1), zeros(2, 1));
joints = j_num(1);
none = zeros(3, 1);
text = '';
for time = 0:d_time:8
  tau = 500 .* (-pi / 2 - q) - 120 .* qd;
  [R0, A0, v0, w0, q, qd] = f_dyn_rk2(R0, A0, v0, w0, q, qd, none, none, zeros(3, 2), zeros(3, 2), tau);
  AA = calc_aa(A0, q);
  [POS_e, ORI_e] = f_kin_e(calc_pos(R0, A0, AA, q), AA, joints);
  line = [time; dc2rpy(A0') * 180/pi; R0; POS_e; q * 180/pi; dc2rpy(ORI_e') * 180/pi; tau; qd * 180/pi; 0; 0];
  if any(abs(time - [0 0.1 0.5 1 2 3 4 6 8]) < 1e-9)
    text = [text, strtrim(sprintf('%g ', line)), sprintf('\n')];
  end
end
assert(strcmp(text, want));
end
