% Every function of SpaceDyn gives the reference numbers, in both forms of call.
function test_reference(data)
global Gravity d_time
files = dir(fullfile(data, 'reference', 'spacedyn', 'm*.json'));
assert(numel(files) == 10);
for k = 1:numel(files)
  d = reference(fullfile(data, 'reference', 'spacedyn', files(k).name));
  Gravity = d.Gravity;
  set_globals(d.LP);
  for i = 1:numel(d.all)
    where = [files(k).name ' ' d.all{i}.label ' '];
    v2(d.LP, d.all{i}.SV, d.all{i}.out, where);
    v1(d.LP.num_q, d.all{i}.SV, d.all{i}.out, where);
  end
  trajectories(d);
end
end

function v2(LP, in, out, where)
SV = init_SV(LP);
for name = fieldnames(in)', SV.(name{1}) = in.(name{1}); end
SV = calc_aa(LP, SV);
near(SV.AA, out.AA, [where 'calc_aa']);
SV = calc_pos(LP, SV);
near(SV.RR, out.RR, [where 'calc_pos']);
SV = calc_vel(LP, SV);
near(SV.vv, out.vv, [where 'calc_vel vv']);
near(SV.ww, out.ww, [where 'calc_vel ww']);
SV = calc_acc(LP, SV);
near(SV.vd, out.vd, [where 'calc_acc vd']);
near(SV.wd, out.wd, [where 'calc_acc wd']);
near(calc_jt(LP, SV), out.JJ_t, [where 'calc_jt']);
near(calc_jr(LP, SV), out.JJ_r, [where 'calc_jr']);
HH = calc_hh(LP, SV);
near(HH, out.HH, [where 'calc_hh']);
near(r_ne(LP, SV), out.r_ne, [where 'r_ne']);
freebody_compat('v2r1');
near(r_ne(LP, SV), 2 * out.r_ne_noext - out.r_ne, [where 'r_ne of v2r1']);
old = f_dyn(LP, SV);
freebody_compat('off');
F = f_dyn_f0(LP, SV);
near(F.Force10, out.Force0, [where 'f_dyn_f0']);
G = f_dyn(LP, SV);
for S = {F, G, old}
  near(S{1}.vd0, out.f_dyn.vd0, [where 'f_dyn vd0']);
  near(S{1}.wd0, out.f_dyn.wd0, [where 'f_dyn wd0']);
  near(S{1}.qdd, out.f_dyn.qdd, [where 'f_dyn qdd']);
  near(S{1}.AA, out.AA, [where 'f_dyn AA']);
  near(S{1}.RR, out.RR, [where 'f_dyn RR']);
end
fresh = calc_acc(LP, calc_vel(LP, G));
near([G.vv G.ww G.vd G.wd], [fresh.vv fresh.ww fresh.vd fresh.wd], [where 'f_dyn vv ww vd wd']);
near(r_ne(LP, G), [SV.F0; SV.T0; SV.tau], [where 'r_ne undoes f_dyn']);
for k = 1:numel(out.ends)
  e = out.ends{k};
  near(j_num(LP, k), e.joints, [where 'j_num']);
  [p, o] = f_kin_e(LP, SV, e.joints);
  near(p, e.POS_e, [where 'f_kin_e']);
  near(o, e.ORI_e, [where 'f_kin_e']);
  [p, o] = f_kin_j(LP, SV, e.joints);
  near(p, e.POS_j, [where 'f_kin_j']);
  near(o, e.ORI_j, [where 'f_kin_j']);
  near(calc_jte(LP, SV, e.joints), e.JJ_te, [where 'calc_jte']);
  near(calc_jre(LP, SV, e.joints), e.JJ_re, [where 'calc_jre']);
  near(calc_je(LP, SV, e.joints), e.Je, [where 'calc_je']);
  near(calc_gj(LP, SV, k), e.GJ, [where 'calc_gj']);
  L = (1:6)';
  [GJ, add] = calc_gj11(LP, SV, L, k, HH);
  near(GJ, e.GJ, [where 'calc_gj11']);
  near(add, e.Jb * (HH(1:6, 1:6) \ L), [where 'calc_gj11 add']);
end
end

function v1(n, S, out, where)
where = [where 'v1 '];
AA = calc_aa(S.A0, S.q);
near(AA, out.AA, [where 'calc_aa']);
RR = calc_pos(S.R0, S.A0, AA, S.q);
near(RR, out.RR, [where 'calc_pos']);
[vv, ww] = calc_vel(S.A0, AA, S.v0, S.w0, S.q, S.qd);
near(vv, out.vv, [where 'calc_vel']);
near(ww, out.ww, [where 'calc_vel']);
[vd, wd] = calc_acc(S.A0, AA, S.w0, ww, S.vd0, S.wd0, S.q, S.qd, S.qdd);
near(vd, out.vd, [where 'calc_acc']);
near(wd, out.wd, [where 'calc_acc']);
near(calc_jt(RR, AA), out.JJ_t, [where 'calc_jt']);
near(calc_jr(AA), out.JJ_r, [where 'calc_jr']);
HH = calc_hh(S.R0, RR, S.A0, AA);
near(HH, out.HH, [where 'calc_hh']);
near(r_ne(S.R0, RR, S.A0, AA, S.v0, S.w0, S.vd0, S.wd0, S.q, S.qd, S.qdd, S.Fe, S.Te), out.r_ne, [where 'r_ne']);
[vd0, wd0, qdd] = f_dyn(S.R0, S.A0, S.v0, S.w0, S.q, S.qd, S.F0, S.T0, S.Fe, S.Te, S.tau);
near([vd0; wd0; qdd], [out.f_dyn.vd0; out.f_dyn.wd0; out.f_dyn.qdd], [where 'f_dyn']);
[vd0, wd0, qdd, F0] = f_dyn_f0(S.R0, S.A0, S.v0, S.w0, S.q, S.qd, S.F0, S.T0, S.Fe, S.Te, S.tau);
near([vd0; wd0; qdd], [out.f_dyn.vd0; out.f_dyn.wd0; out.f_dyn.qdd], [where 'f_dyn_f0']);
near(F0, out.Force0, [where 'f_dyn_f0']);
for k = 1:numel(out.ends)
  e = out.ends{k};
  near(j_num(k), e.joints, [where 'j_num']);
  [p, o] = f_kin_e(RR, AA, e.joints);
  near([p o], [e.POS_e e.ORI_e], [where 'f_kin_e']);
  [p, o] = f_kin_j(RR, AA, S.q, e.joints);
  near([p o], [e.POS_j e.ORI_j], [where 'f_kin_j']);
  near(calc_jte(RR, AA, S.q, e.joints), e.JJ_te, [where 'calc_jte']);
  near(calc_jre(AA, e.joints), e.JJ_re, [where 'calc_jre']);
  near(calc_je(RR, AA, S.q, e.joints), e.Je, [where 'calc_je']);
  near(calc_gj(S.R0, RR, S.A0, AA, S.q, k), e.GJ, [where 'calc_gj']);
  near(calc_gj11(S.R0, RR, S.A0, AA, S.q, zeros(6, 1), k, HH), e.GJ, [where 'calc_gj11']);
end
end

function trajectories(d)
global d_time
for k = 1:numel(d.trajectories)
  if iscell(d.trajectories), t = d.trajectories{k}; else, t = d.trajectories(k); end
  SV = init_SV(d.LP);
  n = d.LP.num_q;
  for name = {'R0', 'v0', 'w0', 'F0', 'T0'}, SV.(name{1}) = t.inputs.(name{1})(:); end
  for name = {'q', 'qd', 'tau'}, SV.(name{1}) = reshape(t.inputs.(name{1}), n, 1); end
  SV.A0 = t.inputs.A0;
  SV.Fe = reshape(t.inputs.Fe, n, 3)';
  SV.Te = reshape(t.inputs.Te, n, 3)';
  d_time = t.dt;
  [last, log] = f_dyn_rk2(d.LP, SV, t.steps);
  S = SV;
  [R0, A0, v0, w0, q, qd] = deal(SV.R0, SV.A0, SV.v0, SV.w0, SV.q, SV.qd);
  for step = 1:20
    S = f_dyn_rk2(d.LP, S);
    [R0, A0, v0, w0, q, qd] = f_dyn_rk2(R0, A0, v0, w0, q, qd, SV.F0, SV.T0, SV.Fe, SV.Te, SV.tau);
  end
  near([R0; A0(:); v0; w0; q; qd], [S.R0; S.A0(:); S.v0; S.w0; S.q; S.qd], 'f_dyn_rk2 v1 and v2', 1e-15);
  near(S.q, log.q(:, 21), 'f_dyn_rk2 in one call', 1e-15);
  near(last.R0, log.R0(:, end), 'f_dyn_rk2 in one call', 0);
  for i = 1:numel(t.rk4)
    r = t.rk4(i);
    at = r.step + 1;
    A0 = log.A0(:, :, at);
    near([log.R0(:, at); A0(:); log.v0(:, at); log.w0(:, at); log.q(:, at); log.qd(:, at)], ...
         [r.R0(:); r.A0(:); r.v0(:); r.w0(:); r.q(:); r.qd(:)], sprintf('%s rk4 step %d', d.name, r.step), 1e-11);
  end
  euler(d.LP, SV, t);
end
end

function euler(LP, SV, t)
S = SV;
[R0, A0, v0, w0, q, qd] = deal(SV.R0, SV.A0, SV.v0, SV.w0, SV.q, SV.qd);
for step = 1:20
  S = int_eu2(LP, f_dyn(LP, S));
  [vd0, wd0, qdd] = f_dyn(R0, A0, v0, w0, q, qd, SV.F0, SV.T0, SV.Fe, SV.Te, SV.tau);
  [R0, A0, v0, w0, q, qd] = int_eu2(R0, A0, v0, w0, vd0, wd0, q, qd, qdd);
  for i = 1:numel(t.int_eu2)
    r = t.int_eu2(i);
    if r.step ~= step, continue, end
    want = [r.R0(:); r.A0(:); r.v0(:); r.w0(:); r.q(:); r.qd(:)];
    near([S.R0; S.A0(:); S.v0; S.w0; S.q; S.qd], want, 'int_eu2');
    near([R0; A0(:); v0; w0; q; qd], want, 'int_eu2 v1');
  end
end
end
