% SMALL_ROBOT  A tree of n joints, revolute and prismatic, with random numbers that are always the same, and a state of it.
function [LP, SV] = small_robot(n, ends)
if nargin < 2, ends = true; end
x = numbers(4000);
LP = init_LP(n);
for i = 1:n, LP.BB(i) = max(0, i - 1 - mod(i, 3)); end
LP.SS = -eye(n);
for j = 1:n
  if LP.BB(j), LP.SS(LP.BB(j), j) = 1; end
end
LP.S0 = double(LP.BB == 0);
LP.SE = zeros(1, n);
for i = 1:n, LP.SE(i) = ends && ~any(LP.BB == i); end
types = 'RRPR';
LP.J_type = types(mod(0:n-1, 4) + 1);
LP.c0 = reshape(x(1:3*n), 3, n) .* repmat(LP.S0, 3, 1);
LP.cc = reshape(x(100 + (1:3*n*n)), 3, n, n);
LP.ce = reshape(x(1000 + (1:3*n)), 3, n) .* repmat(LP.SE, 3, 1);
LP.Qi = reshape(x(1100 + (1:3*n)), 3, n);
LP.Qe = reshape(x(1200 + (1:3*n)), 3, n) .* repmat(LP.SE, 3, 1);
SV = init_SV(LP);
SV.R0 = x(2001:2003);
SV.A0 = rpy2dc(x(2004:2006))';
SV.v0 = x(2007:2009);
SV.w0 = 2 * x(2010:2012);
SV.q = x(2100 + (1:n)');
SV.qd = x(2200 + (1:n)');
SV.F0 = x(2301:2303);
SV.T0 = x(2304:2306);
SV.tau = x(2400 + (1:n)');
SV.Fe = reshape(x(2500 + (1:3*n)), 3, n);
SV.Te = reshape(x(2600 + (1:3*n)), 3, n);
end

function x = numbers(count)
x = mod((1:count)' * 0.6180339887498949 + ((1:count)' .^ 2) * 0.137, 1) - 0.5;
end
