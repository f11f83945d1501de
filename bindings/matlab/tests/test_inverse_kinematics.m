% i_kine finds the reference's solutions in both forms of call, and says when there is none.
function test_inverse_kinematics(data)
folder = fullfile(data, 'reference', 'spacedyn');
d = jsondecode(fileread(fullfile(folder, 'inverse_kinematics.json')));
for g = 1:numel(d.groups)
  if iscell(d.groups), group = d.groups{g}; else, group = d.groups(g); end
  m = reference(fullfile(folder, group.model_file));
  set_globals(m.LP);
  for k = 1:numel(group.cases)
    if iscell(group.cases), c = group.cases{k}; else, c = group.cases(k); end
    SV = init_SV(m.LP);
    SV.R0 = c.R0(:);
    SV.A0 = c.A0;
    q = i_kine(m.LP, SV, c.POS_e(:), c.ORI_e, c.q_init(:), c.num_e);
    near(q, c.q_solution(:), 'i_kine', 1e-11 * max(1, c.jacobian_condition));
    near(i_kine(c.R0(:), c.A0, c.POS_e(:), c.ORI_e, c.q_init(:), c.num_e), q, 'i_kine v1', 1e-14);
    freebody_compat('v2r1');
    near(i_kine(m.LP, SV, c.POS_e(:), c.ORI_e, c.q_init(:), c.num_e), c.q_solution(:), 'i_kine of v2r1', 1e-5);
    freebody_compat('off');
  end
end
SV.q = c.q_init(:);
fails(@() i_kine(m.LP, SV, [100; 0; 0], eye(3), SV.q, 1), 'does not converge');
fails(@() i_kine(m.LP, SV, [NaN; 0; 0], eye(3), SV.q, 1), 'not finite');
half_turn();
end

% An attitude that is wrong by pi is turned, not accepted.
function half_turn()
LP = init_LP(3);
LP.Qi(:, 2:3) = [pi/2 -pi/2; 0 0; 0 0];
for i = 1:3, LP.cc(:, i, i) = 0; end
LP.cc(:) = 0;
LP.c0(:) = 0;
LP.ce(:) = 0;
LP = init_wrist(LP);
SV = init_SV(LP);
goal = calc_aa(LP, setfield(SV, 'q', [pi; 0.3; 0]));
goal = calc_pos(LP, goal);
[p, o] = f_kin_e(LP, goal, 1:3);
q = i_kine(LP, SV, p, o, [0; 0.3; 0], 1);
[p1, o1] = f_kin_e(LP, calc_pos(LP, calc_aa(LP, setfield(SV, 'q', q))), 1:3);
near(o1, o, 'i_kine half turn', 1e-9);
end

function LP = init_wrist(LP)
LP.Qi = [0 pi/2 -pi/2; 0 0 0; 0 0 0];
end
