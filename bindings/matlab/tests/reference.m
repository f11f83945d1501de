% REFERENCE  A reference file of SpaceDyn's quantities (tests/data/reference/spacedyn/README.md) in MATLAB's layout.
%   d = reference(file): d.LP, d.Gravity, d.cases (in, out), d.trajectories
function d = reference(file)
d = jsondecode(fileread(file));
if ~isfield(d, 'model'), return, end
[d.LP, d.Gravity] = links(d.model);
n = d.LP.num_q;
for i = 1:numel(d.cases)
  c = item(d.cases, i);
  s = state(c.inputs, n);
  o = c.outputs;
  for name = {'RR', 'vv', 'ww', 'vd', 'wd'}, o.(name{1}) = columns(o.(name{1}), n); end
  o.AA = pages(o.AA, n, 3);
  o.JJ_t = pages(o.JJ_t, n, n);
  o.JJ_r = pages(o.JJ_r, n, n);
  for name = {'Force0', 'Force_ex', 'r_ne', 'r_ne_noext'}, o.(name{1}) = o.(name{1})(:); end
  o.f_dyn = struct('vd0', o.f_dyn.vd0(:), 'wd0', o.f_dyn.wd0(:), 'qdd', reshape(o.f_dyn.qdd, n, 1));
  o.ends = {};
  for k = 1:numel(o.end_points)
    e = item(o.end_points, k);
    m = numel(e.joints);
    e.joints = e.joints(:)';
    e.POS_e = e.POS_e(:);
    e.POS_j = columns(e.POS_j, m);
    e.ORI_j = pages(e.ORI_j, m, 3);
    e.JJ_te = reshape(e.JJ_te, 3, m);
    e.JJ_re = reshape(e.JJ_re, 3, m);
    e.Je = reshape(e.Je, 6, n);
    e.GJ = reshape(e.GJ, 6, n);
    o.ends{k} = e;
  end
  d.all{i} = struct('label', c.label, 'SV', s, 'out', o);
end
end

function x = item(list, i)
if iscell(list), x = list{i}; else, x = list(i); end
end

function s = state(in, n)
s = struct();
for name = {'R0', 'v0', 'w0', 'vd0', 'wd0', 'F0', 'T0', 'q', 'qd', 'qdd', 'tau'}
  if isfield(in, name{1}), s.(name{1}) = in.(name{1})(:); end
end
for name = {'q', 'qd', 'qdd', 'tau'}
  if isfield(in, name{1}), s.(name{1}) = reshape(in.(name{1}), n, 1); end
end
s.A0 = in.A0;
s.Fe = columns(in.Fe, n);
s.Te = columns(in.Te, n);
end

% A list of n vectors of 3: 3 x n.
function y = columns(x, n)
y = reshape(x, n, 3)';
end

% A list of n matrices of 3 x m: 3 x mn, side by side.
function y = pages(x, n, m)
if n == 0, y = []; return, end
y = reshape(permute(reshape(x, n, 3, m), [2 3 1]), 3, m * n);
end

function [LP, g] = links(model)
n = model.num_q;
LP.num_q = n;
LP.BB = model.BB(:)';
LP.SS = reshape(model.SS, n, n);
LP.S0 = model.S0(:)';
LP.SE = model.SE(:)';
LP.J_type = char(model.J_type)';
LP.c0 = columns(model.c0, n);
LP.cc = permute(reshape(model.cc, n, n, 3), [3 1 2]);
LP.ce = columns(model.ce, n);
LP.Qi = columns(model.Qi, n);
LP.Qe = columns(model.Qe, n);
LP.m0 = model.m0;
LP.m = model.m(:)';
LP.mass = LP.m0 + sum(LP.m);
LP.inertia0 = model.inertia0;
LP.inertia = pages(model.inertia, n, 3);
g = model.Gravity(:);
end
