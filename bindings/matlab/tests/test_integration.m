% Every integrator converges with its order, keeps the attitude a rotation, and is the same in both forms of call.
function test_integration(data)
global Gravity d_time
Gravity = [0; 0; 0];
[LP, SV] = small_robot(3);
LP.cc(:, :, :) = 0.3 * LP.cc;
SV.Fe(:) = 0; SV.Te(:) = 0; SV.qd = 0.3 * SV.qd;
set_globals(LP);
exact = run(LP, SV, 'f_dyn_rk2', 800);
orders = {'int_eu', 1; 'int_eu2', 1; 'int_sr', 2; 'int_sr2', 2; 'f_dyn_rk', 4; 'f_dyn_rk2', 4; 'f_dyn_nb', 2; 'f_dyn_nb2', 2};
for k = 1:rows(orders)
  name = orders{k, 1};
  coarse = norm(run(LP, SV, name, 20) - exact);
  fine = norm(run(LP, SV, name, 40) - exact);
  order = log2(coarse / fine);
  assert(order > orders{k, 2} - 0.3 && order < orders{k, 2} + 0.9, '%s is of order %.2f', name, order);
  d_time = 0.05;
  S = f_dyn(LP, SV);
  a = feval(name, LP, S);
  near(a.A0' * a.A0, eye(3), [name ' A0'], 1e-13);
  near(state(a), v1(name, S), [name ' v1'], 1e-15);
end
freebody_compat('v2r1');
far = norm(run(LP, SV, 'int_eu', 800) - exact);
freebody_compat('off');
assert(far > 0.01); % v2r1's does not converge
momentum(LP, SV);
edge_cases();
end

function x = run(LP, SV, name, steps)
global d_time
d_time = 0.4 / steps;
for k = 1:steps
  if name(1) == 'i', SV = f_dyn(LP, SV); end
  SV = feval(name, LP, SV);
end
x = state(SV);
end

function x = state(SV)
x = [SV.R0; SV.A0(:); SV.v0; SV.w0; SV.q; SV.qd];
end

function x = v1(name, S)
force = {S.F0, S.T0, S.Fe, S.Te, S.tau};
at = {S.R0, S.A0, S.v0, S.w0};
rates = {S.vd0, S.wd0, S.q, S.qd, S.qdd};
if strncmp(name, 'int_eu', 6), args = [at rates]; end
if strncmp(name, 'int_sr', 6), args = [at rates force]; end
if name(1) == 'f', args = [at {S.q, S.qd} force]; end
[R0, A0, v0, w0, q, qd] = feval(name, args{:});
x = [R0; A0(:); v0; w0; q; qd];
end

function momentum(LP, SV)
global d_time
d_time = 0.005;
SV.F0(:) = 0; SV.T0(:) = 0;
last = f_dyn_rk2(LP, SV, 400);
near(moment(LP, last), moment(LP, SV), 'momentum', 1e-8);
end

function L = moment(LP, SV)
SV = calc_pos(LP, calc_aa(LP, SV));
h = calc_hh(LP, SV)(1:6, :) * [SV.v0; SV.w0; SV.qd];
L = [h(1:3); h(4:6) + tilde(SV.R0) * h(1:3)];
end

% No joints; no end-points; rows instead of columns; small letters.
function edge_cases()
global d_time
d_time = 0.01;
[LP, SV] = small_robot(0);
for name = {'f_dyn', 'f_dyn_f0', 'f_dyn_rk', 'f_dyn_rk2', 'f_dyn_nb', 'f_dyn_nb2', 'int_eu', 'int_eu2', 'int_sr', 'int_sr2', ...
            'calc_aa', 'calc_pos', 'calc_vel', 'calc_acc'}
  feval(name{1}, LP, SV);
end
assert(isempty(calc_aa(LP, SV).AA) && isempty(calc_jt(LP, SV)) && isequal(size(calc_hh(LP, SV)), [6 6]));
near(r_ne(LP, f_dyn(LP, SV)), [SV.F0; SV.T0], 'r_ne without joints');
[LP, SV] = small_robot(5, false);
S = f_dyn_f0(LP, SV);
assert(numel(S.Force10) == 11 && isempty(j_num(LP, 1)));
fails(@() calc_gj(LP, S, 1), 'no end-points');
short = rmfield(LP, {'SE', 'ce', 'Qe', 'SS', 'S0', 'mass'});
near(f_dyn(short, SV).qdd, S.qdd, 'without end-points', 0);
SV.q = SV.q';
SV.R0 = SV.R0';
a = f_dyn_rk2(LP, SV);
assert(isequal(size(a.q), [1 5]) && isequal(size(a.R0), [1 3]) && isequal(size(a.qd), [5 1]));
[LP, SV] = small_robot(4);
LP.inertia(1, 2) = LP.inertia(1, 2) + 0.01; % not symmetric: taken as it is
S = f_dyn(LP, SV);
near(r_ne(LP, S), [SV.F0; SV.T0; SV.tau], 'an inertia that is not symmetric', 0.1);
assert(all(isfinite(S.qdd)));
end
