%PURE_F_DYN  Forward dynamics in m-code alone, O(n^3), as toolboxes without compiled code compute it.
%   SV = pure_f_dyn(LP, SV)
%
%   HH acc = [F0; T0; tau] + sum of J_e' [Fe; Te] - bias(q, qd), with HH summed over the Jacobians of all links and the bias by
%   Newton and Euler: what f_dyn of the toolbox is timed against (bench_toolbox.m). A function for each quantity and a loop over
%   the links in each, as one writes it by hand.
function SV = pure_f_dyn(LP, SV)
global Gravity
n = LP.num_q;
SV.AA = attitudes(LP, SV);
SV.RR = positions(LP, SV);
HH = inertia_matrix(LP, SV);
bias = newton_euler(LP, SV, Gravity);
force = [SV.F0; SV.T0; SV.tau] - bias;
for i = 1:n
  if LP.SE(i) == 1
    A = SV.AA(:, 3*i-2:3*i);
    p = SV.RR(:, i) + A * LP.ce(:, i);
    [Jt, Jr] = end_jacobian(LP, SV, i, p);
    force(1:3) = force(1:3) + SV.Fe(:, i);
    force(4:6) = force(4:6) + skew(p - SV.R0) * SV.Fe(:, i) + SV.Te(:, i);
    force(7:end) = force(7:end) + Jt' * SV.Fe(:, i) + Jr' * SV.Te(:, i);
  end
end
acc = HH \ force;
SV.vd0 = acc(1:3);
SV.wd0 = acc(4:6);
SV.qdd = acc(7:end);
end

function AA = attitudes(LP, SV)
AA = zeros(3, 3 * LP.num_q);
for i = 1:LP.num_q
  angles = LP.Qi(:, i);
  if LP.J_type(i) == 'R'
    angles(3) = angles(3) + SV.q(i);
  end
  if LP.BB(i) == 0
    below = SV.A0;
  else
    below = SV.AA(:, 3*LP.BB(i)-2:3*LP.BB(i));
  end
  SV.AA(:, 3*i-2:3*i) = below * cosines(angles)';
end
AA = SV.AA;
end

function C = cosines(angles)
C = about_z(angles(3)) * about_y(angles(2)) * about_x(angles(1));
end

function C = about_x(a)
C = [1 0 0; 0 cos(a) sin(a); 0 -sin(a) cos(a)];
end

function C = about_y(a)
C = [cos(a) 0 -sin(a); 0 1 0; sin(a) 0 cos(a)];
end

function C = about_z(a)
C = [cos(a) sin(a) 0; -sin(a) cos(a) 0; 0 0 1];
end

function RR = positions(LP, SV)
RR = zeros(3, LP.num_q);
for i = 1:LP.num_q
  A = SV.AA(:, 3*i-2:3*i);
  arm = -LP.cc(:, i, i);
  if LP.J_type(i) == 'P'
    arm = arm + [0; 0; SV.q(i)];
  end
  if LP.BB(i) == 0
    RR(:, i) = SV.R0 + SV.A0 * LP.c0(:, i) + A * arm;
  else
    b = LP.BB(i);
    RR(:, i) = RR(:, b) + SV.AA(:, 3*b-2:3*b) * LP.cc(:, b, i) + A * arm;
  end
end
end

function [Jt, Jr] = end_jacobian(LP, SV, i, p)
Jt = zeros(3, LP.num_q);
Jr = zeros(3, LP.num_q);
j = i;
while j > 0
  A = SV.AA(:, 3*j-2:3*j);
  axis = A * [0; 0; 1];
  if LP.J_type(j) == 'R'
    Jt(:, j) = skew(axis) * (p - SV.RR(:, j) - A * LP.cc(:, j, j));
    Jr(:, j) = axis;
  else
    Jt(:, j) = axis;
  end
  j = LP.BB(j);
end
end

function HH = inertia_matrix(LP, SV)
n = LP.num_q;
Hw = SV.A0 * LP.inertia0 * SV.A0';
Hvw = zeros(3);
Hvq = zeros(3, n);
Hwq = zeros(3, n);
Hq = zeros(n);
for i = 1:n
  A = SV.AA(:, 3*i-2:3*i);
  I = A * LP.inertia(:, 3*i-2:3*i) * A';
  r = skew(SV.RR(:, i) - SV.R0);
  [Jt, Jr] = end_jacobian(LP, SV, i, SV.RR(:, i));
  Hvw = Hvw + LP.m(i) * r';
  Hw = Hw + I + LP.m(i) * r' * r;
  Hvq = Hvq + LP.m(i) * Jt;
  Hwq = Hwq + I * Jr + LP.m(i) * r * Jt;
  Hq = Hq + Jr' * I * Jr + LP.m(i) * Jt' * Jt;
end
HH = [(LP.m0 + sum(LP.m)) * eye(3), Hvw, Hvq; Hvw', Hw, Hwq; Hvq', Hwq', Hq];
end

% Velocities, accelerations at zero joint accelerations, then forces from the tips inward.
function force = newton_euler(LP, SV, g)
n = LP.num_q;
ww = zeros(3, n);
wd = zeros(3, n);
vd = zeros(3, n);
for i = 1:n
  A = SV.AA(:, 3*i-2:3*i);
  axis = A * [0; 0; 1];
  if LP.BB(i) == 0
    w = SV.w0; a = zeros(3, 1); al = zeros(3, 1); to = SV.A0 * LP.c0(:, i);
  else
    b = LP.BB(i);
    w = ww(:, b); a = vd(:, b); al = wd(:, b); to = SV.AA(:, 3*b-2:3*b) * LP.cc(:, b, i);
  end
  from = -A * LP.cc(:, i, i);
  a = a + product(al, to) + product(w, product(w, to));
  if LP.J_type(i) == 'R'
    ww(:, i) = w + axis * SV.qd(i);
    wd(:, i) = al + product(ww(:, i), axis * SV.qd(i));
  else
    ww(:, i) = w;
    wd(:, i) = al;
    from = from + axis * SV.q(i);
    a = a + 2 * product(w, axis * SV.qd(i));
  end
  vd(:, i) = a + product(wd(:, i), from) + product(ww(:, i), product(ww(:, i), from));
end
F = zeros(3, n);
T = zeros(3, n);
tau = zeros(n, 1);
I0 = SV.A0 * LP.inertia0 * SV.A0';
F0 = -LP.m0 * g;
T0 = product(SV.w0, I0 * SV.w0);
for i = n:-1:1
  A = SV.AA(:, 3*i-2:3*i);
  axis = A * [0; 0; 1];
  I = A * LP.inertia(:, 3*i-2:3*i) * A';
  f = LP.m(i) * (vd(:, i) - g);
  from = -A * LP.cc(:, i, i);
  if LP.J_type(i) == 'P'
    from = from + axis * SV.q(i);
  end
  F(:, i) = F(:, i) + f;
  T(:, i) = T(:, i) + I * wd(:, i) + product(ww(:, i), I * ww(:, i)) + product(from, f);
  if LP.J_type(i) == 'R'
    tau(i) = axis' * T(:, i);
  else
    tau(i) = axis' * F(:, i);
  end
  if LP.BB(i) == 0
    F0 = F0 + F(:, i);
    T0 = T0 + T(:, i) + product(SV.A0 * LP.c0(:, i), F(:, i));
  else
    b = LP.BB(i);
    B = SV.AA(:, 3*b-2:3*b);
    arm = LP.cc(:, b, i) - LP.cc(:, b, b);
    if LP.J_type(b) == 'P'
      arm = arm + [0; 0; SV.q(b)];
    end
    F(:, b) = F(:, b) + F(:, i);
    T(:, b) = T(:, b) + T(:, i) + product(B * arm, F(:, i));
  end
end
force = [F0; T0; tau];
end

function c = product(a, b)
c = [a(2) * b(3) - a(3) * b(2); a(3) * b(1) - a(1) * b(3); a(1) * b(2) - a(2) * b(1)];
end

function S = skew(a)
S = [0 -a(3) a(2); a(3) 0 -a(1); -a(2) a(1) 0];
end
