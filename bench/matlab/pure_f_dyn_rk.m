%PURE_F_DYN_RK  One step of classical Runge-Kutta in m-code alone, on the quaternion, with pure_f_dyn.
%   SV = pure_f_dyn_rk(LP, SV)      steps by the global d_time
function SV = pure_f_dyn_rk(LP, SV)
global d_time
h = d_time;
qtn = dc2qtn(SV.A0');
y = [SV.R0; qtn; SV.q; SV.v0; SV.w0; SV.qd];
k1 = rate(LP, SV, y);
k2 = rate(LP, SV, unit(y + h / 2 * k1));
k3 = rate(LP, SV, unit(y + h / 2 * k2));
k4 = rate(LP, SV, unit(y + h * k3));
SV = put(LP, SV, unit(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)));
end

function yd = rate(LP, SV, y)
SV = pure_f_dyn(LP, put(LP, SV, y));
x = y(4:7);
w = SV.w0;
turn = [x(4) * w + [x(3) * w(2) - x(2) * w(3); x(1) * w(3) - x(3) * w(1); x(2) * w(1) - x(1) * w(2)]; -x(1:3)' * w] / 2;
yd = [SV.v0; turn; SV.qd; SV.vd0; SV.wd0; SV.qdd];
end

function y = unit(y)
y(4:7) = y(4:7) / norm(y(4:7));
end

function SV = put(LP, SV, y)
n = LP.num_q;
x = y(4:7);
v = x(1:3);
C = (x(4)^2 - v' * v) * eye(3) + 2 * (v * v') - 2 * x(4) * [0 -v(3) v(2); v(3) 0 -v(1); -v(2) v(1) 0];
SV.R0 = y(1:3);
SV.A0 = C';
SV.q = y(8:7+n);
SV.v0 = y(8+n:10+n);
SV.w0 = y(11+n:13+n);
SV.qd = y(14+n:end);
end
