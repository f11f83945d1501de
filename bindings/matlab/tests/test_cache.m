% A robot is built once for each LP, and again as soon as any number of it changes; the v1 form watches the globals.
function test_cache(data)
global Gravity m0 J_type
Gravity = [0; 0; 0];
[LP, SV] = small_robot(4);
freebody_cache('clear');
first = freebody_cache();
for k = 1:50, SV.q(1) = k / 10; a = f_dyn(LP, SV); end
calc_hh(LP, a);
r_ne(LP, a);
assert(freebody_cache() == first + 1);
set_globals(LP);
[vd0, wd0, qdd] = v1(SV);
assert(freebody_cache() == first + 1); % the same numbers are the same robot
near(qdd, a.qdd, 'v1', 0);
names = {'m0', 'm', 'inertia0', 'inertia', 'c0', 'cc', 'ce', 'Qi'};
for k = 1:numel(names)
  B = LP;
  B.(names{k})(1) = B.(names{k})(1) * 1.001 + 0.001;
  b = f_dyn(B, SV);
  assert(freebody_cache() == first + 1 + k);
  assert(strcmp(names{k}, 'ce') || max(abs([b.vd0; b.wd0; b.qdd] - [a.vd0; a.wd0; a.qdd])) > 1e-9);
end
again = f_dyn(LP, SV);
near(again.qdd, a.qdd, 'the first robot is still there', 0);
count = freebody_cache();
LP.J_type(1) = 'P'; % in place
p = f_dyn(LP, SV);
assert(freebody_cache() == count + 1 && max(abs(p.qdd - a.qdd)) > 1e-6);
m0 = m0 * 2;
[vd0, wd0, heavy] = v1(SV);
assert(max(abs(heavy - qdd)) > 1e-6);
J_type = 'rrpr';
LP.J_type = 'RRPR';
set_globals(LP);
[vd0, wd0, qdd] = v1(SV);
near(qdd, a.qdd, 'the globals are as before', 0);
J_type = lower(LP.J_type);
[vd0, wd0, qdd] = v1(SV);
near(qdd, a.qdd, 'small letters', 0);
for k = 1:40 % more robots than are kept
  LP.m0 = 100 + k;
  c = f_dyn(LP, SV);
end
LP.m0 = 100;
c = f_dyn(LP, SV);
near(c.qdd, a.qdd, 'after forty others', 0);
freebody_cache('clear');
c = f_dyn(LP, SV);
near(c.qdd, a.qdd, 'after clearing', 0);
clear f_dyn freebody_mex
c = f_dyn(LP, SV);
near(c.qdd, a.qdd, 'after clear f_dyn', 0);
others(LP, SV, a);
end

function [vd0, wd0, qdd] = v1(S)
[vd0, wd0, qdd] = f_dyn(S.R0, S.A0, S.v0, S.w0, S.q, S.qd, S.F0, S.T0, S.Fe, S.Te, S.tau);
end

% Structure arrays; fields of our own; the setting of freebody_compat; models that outlive a clear.
function others(LP, SV, a)
all = [LP LP];
states = [SV SV];
states(2).note = 'kept';
states(2).tables = {1, 'two'};
b = f_dyn(all(2), states(2));
near(b.qdd, a.qdd, 'of a structure array', 0);
assert(strcmp(b.note, 'kept') && isequal(b.tables, {1, 'two'}));
evalin('base', 'clear all');
m = freebody.Model(LP);
freebody_compat('v2r1');
clear functions
assert(strcmp(freebody_compat(), 'v2r1'));
freebody_compat('off');
assert(numel(m.neutral()) == m.nq);
end
