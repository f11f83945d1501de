% What a function cannot take is an error that says what and where; nothing else happens.
function test_errors(data)
global Gravity d_time
Gravity = [0; 0; 0];
d_time = 0.01;
[LP, SV] = small_robot(3);
f_dyn(LP, SV);
fails(@() f_dyn(), 'without arguments');
fails(@() f_dyn('LP', SV), 'the first argument is a char; give LP');
fails(@() calc_hh({LP}, SV), 'the first argument is a cell');
fails(@() f_dyn(LP), 'second argument must be the structure SV');
fails(@() f_dyn(LP, 3), 'second argument must be the structure SV');
fails(@() f_dyn(LP, SV, 1), 'too many');
fails(@() f_dyn(LP, [SV SV]), 'structure SV');
fails(@() f_dyn([LP LP], SV), 'one structure');
fails(@() f_dyn(LP, rmfield(SV, 'tau')), 'SV has no field tau');
fails(@() f_dyn(LP, set(SV, 'q', [1 2])), 'SV.q has 1 x 2 numbers; 3 are needed');
fails(@() f_dyn(LP, set(SV, 'q', [1; NaN; 2])), 'SV.q(2) is NaN');
fails(@() f_dyn(LP, set(SV, 'tau', [1; 2; -Inf])), 'SV.tau(3) is infinite');
fails(@() f_dyn(LP, set(SV, 'q', {1, 2, 3})), 'SV.q is a cell');
fails(@() f_dyn(LP, set(SV, 'q', 'abc')), 'SV.q is a char');
fails(@() f_dyn(LP, set(SV, 'q', [1i; 2; 3])), 'SV.q is complex');
fails(@() f_dyn(LP, set(SV, 'q', sparse([1; 2; 3]))), 'SV.q is sparse');
fails(@() f_dyn(LP, set(SV, 'A0', zeros(3))), 'A0 is not a rotation');
fails(@() f_dyn(LP, set(SV, 'A0', -eye(3))), 'A0 is not a rotation');
fails(@() f_dyn(rmfield(LP, 'm'), SV), 'LP.m is missing');
fails(@() f_dyn(rmfield(LP, {'num_q', 'BB'}), SV), 'LP.num_q is missing');
near(f_dyn(rmfield(LP, 'num_q'), SV).qdd, f_dyn(LP, SV).qdd, 'num_q is the length of BB', 0);
fails(@() f_dyn(set(LP, 'num_q', 2.5), SV), 'LP.num_q is 2.5');
fails(@() f_dyn(set(LP, 'num_q', -1), SV), 'LP.num_q is -1');
fails(@() f_dyn(set(LP, 'num_q', 1e9), SV), 'LP.num_q is 1e+09');
fails(@() f_dyn(set(LP, 'num_q', NaN), SV), 'LP.num_q(1) is NaN');
fails(@() f_dyn(set(LP, 'num_q', []), SV), 'LP.num_q');
fails(@() f_dyn(set(LP, 'BB', [0 3 2]), SV), 'LP.BB(2) is 3');
fails(@() f_dyn(set(LP, 'BB', [0 0.5 1]), SV), 'LP.BB(2) is 0.5');
fails(@() f_dyn(set(LP, 'J_type', 'RXP'), SV), 'LP.J_type(2) is ''X''');
fails(@() f_dyn(set(LP, 'J_type', 'R'), SV), 'a letter for each of 3 joints');
fails(@() f_dyn(set(LP, 'J_type', {'R', 'R', 'P'}), SV), 'must be letters R and P');
fails(@() f_dyn(set(LP, 'c0', zeros(3, 2)), SV), 'LP.c0 has 3 x 2 numbers');
fails(@() f_dyn(set(LP, 'c0', zeros(9, 1)), SV), 'LP.c0 has 9 rows');
fails(@() f_dyn(set(LP, 'cc', zeros(3, 3)), SV), 'LP.cc');
fails(@() f_dyn(set(LP, 'inertia', NaN(3, 9)), SV), 'LP.inertia(1) is NaN');
fails(@() f_dyn(set(set(set(LP, 'm', [0 0 0]), 'inertia', zeros(3, 9)), 'J_type', 'RRP'), SV), 'f_dyn');
fails(@() f_kin_e(LP, SV), 'joints is missing');
fails(@() f_kin_e(LP, SV, []), 'joints is empty');
fails(@() f_kin_e(LP, SV, 4), 'joints(1) is 4');
fails(@() f_kin_e(LP, SV, 1.5), 'joints(1) is 1.5');
fails(@() j_num(LP, 99), 'num_e is 99');
fails(@() j_num(LP, 0), 'num_e is 0');
fails(@() j_num(LP), 'num_e is missing');
fails(@() calc_gj11(LP, SV), 'L, num_e and HH');
fails(@() f_dyn(SV.R0, SV.A0), 'the global num_q is missing');
set_globals(LP);
fails(@() f_dyn(SV.R0, SV.A0), 'v0 is missing');
fails(@() f_dyn_rk2(LP, SV, 0), 'steps is 0');
fails(@() f_dyn_rk2(LP, SV, 1.5), 'steps is 1.5');
fails(@() i_kine(LP, SV), 'arguments');
fails(@() i_kine(LP, SV, [1 2], eye(3), SV.q, 1), 'POS_e');
fails(@() init_SV(3), 'give LP');
fails(@() init_LP('no_such_file.yaml'), 'no_such_file.yaml');
fails(@() init_LP(-1), 'number of joints');
fails(@() freebody_compat('v3'), '''v3'' is not known');
fails(@() freebody_mex(), 'give the name');
fails(@() freebody_mex('no_such'), 'no function');
Gravity = [0 0];
fails(@() f_dyn(LP, SV), 'Gravity has 1 x 2');
Gravity = [];
f_dyn(LP, SV);
d_time = -1;
fails(@() f_dyn_rk2(LP, SV), 'd_time is -1');
clear -global d_time
fails(@() f_dyn_rk2(LP, SV), 'd_time is not set');
other_types(LP, SV);
end

function s = set(s, name, value)
s.(name) = value;
end

% Integers, single precision, logicals, ranges and diagonal matrices are numbers too.
function other_types(LP, SV)
want = f_dyn(LP, set(set(SV, 'q', [1; 2; 3]), 'A0', [1 0 0; 0 1 0; 0 0 1]));
for q = {int32([1 2 3]), single([1; 2; 3]), 1:3, uint8([1 2 3])}
  got = f_dyn(LP, set(set(SV, 'q', q{1}), 'A0', eye(3)));
  near(got.qdd, want.qdd, 'other types', 1e-15);
end
got = f_dyn(set(set(LP, 'SE', logical(LP.SE)), 'inertia0', 20 * eye(3)), SV);
want = f_dyn(set(LP, 'inertia0', 20 * [1 0 0; 0 1 0; 0 0 1]), SV);
near(got.qdd, want.qdd, 'logical, diagonal', 0);
end
