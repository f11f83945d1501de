% freebody_compat('v2r1') brings back what SpaceDyn v2r1 computes where it differs, and 'off' the corrected results.
function test_compat(data)
global Gravity d_time
Gravity = [0; 0; 0];
d_time = 0.1;
assert(strcmp(freebody_compat(), 'off'));
assert(strcmp(freebody_compat('v2r1'), 'off') && strcmp(freebody_compat(), 'v2r1'));
[LP, SV] = small_robot(4);
SV.vv(:) = 7; SV.ww(:) = 7; SV.vd(:) = 7; SV.wd(:) = 7;
S = f_dyn(LP, SV);
assert(all([S.vv(:); S.ww(:); S.vd(:); S.wd(:)] == 7)); % stale, as in v2r1
loads = r_ne(LP, S);
freebody_compat('off');
T = f_dyn(LP, SV);
near([S.vd0; S.wd0; S.qdd], [T.vd0; T.wd0; T.qdd], 'both ways to accelerations', 1e-12);
assert(all(T.vv(:) ~= 7) && all(T.wd(:) ~= 7));
none = T;
none.Fe(:) = 0;
none.Te(:) = 0;
near(loads + r_ne(LP, T), 2 * r_ne(LP, none), 'the sign of Fe and Te', 1e-11);
steps();
end

% A ball that spins with a rate that is constant, but for matrices A0 that are no rotations: the old steps can be written down.
function steps()
global d_time
LP = init_LP(0);
SV = init_SV(LP);
SV.A0 = rpy2dc([0.3 -0.5 0.8])';
SV.w0 = [0.4; -0.7; 1.1];
SV.v0 = [1; 2; 3];
W = tilde(SV.w0);
h = d_time;
exact = aw(SV) * SV.A0;
freebody_compat('v2r1');
near(int_eu(LP, SV).A0, SV.A0 + h * SV.A0 * W, 'int_eu', 1e-15);
A2 = SV.A0 + h / 2 * SV.A0 * W;
A3 = A2 + h / 2 * A2 * W;
near(int_sr(LP, SV).A0, SV.A0 + h / 6 * (SV.A0 + 4 * A2 + A3) * W, 'int_sr', 1e-4);
near(int_sr2(LP, SV).A0, exact, 'int_sr2 of a constant rate', 1e-14);
S = f_dyn_rk(LP, SV);
near(S.R0, 3 * h * SV.v0, 'f_dyn_rk moves three times as far', 1e-14);
near(S.A0, SV.A0 + h * SV.A0 * W, 'f_dyn_rk', 1e-3);
freebody_compat('off');
for name = {'int_eu', 'int_eu2', 'int_sr', 'int_sr2', 'f_dyn_rk', 'f_dyn_rk2', 'f_dyn_nb', 'f_dyn_nb2'}
  S = feval(name{1}, LP, SV);
  near(S.R0, h * SV.v0, [name{1} ' R0'], 1e-14);
  near(S.A0, exact, [name{1} ' A0'], 2e-3);
end
end
