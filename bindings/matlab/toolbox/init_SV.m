%INIT_SV  State of a robot at rest at the origin.
%   SV = init_SV(LP)
%
%   R0, Q0, A0, v0, w0, vd0, wd0      base: position, angles, attitude, velocity, ...
%   q, qd, qdd                        joints, n x 1
%   AA, RR, vv, ww, vd, wd            links, zero: see calc_aa, calc_pos, calc_vel, calc_acc
%   F0, T0, Fe, Te, tau               forces: see f_dyn
%
%   See also init_LP, f_dyn
function SV = init_SV(LP)
if nargin ~= 1 || ~isstruct(LP) || ~isfield(LP, 'num_q')
  error('freebody:argument', 'init_SV: give LP, a structure with the field num_q');
end
n = LP.num_q;
none = zeros(3, 1);
SV.R0 = none;
SV.Q0 = none;
SV.A0 = [1 0 0; 0 1 0; 0 0 1];
SV.AA = zeros(3, 3 * n);
SV.RR = zeros(3, n);
SV.v0 = none;
SV.w0 = none;
SV.vd0 = none;
SV.wd0 = none;
SV.q = zeros(n, 1);
SV.qd = zeros(n, 1);
SV.qdd = zeros(n, 1);
SV.vv = zeros(3, n);
SV.ww = zeros(3, n);
SV.vd = zeros(3, n);
SV.wd = zeros(3, n);
SV.F0 = none;
SV.T0 = none;
SV.Fe = zeros(3, n);
SV.Te = zeros(3, n);
SV.tau = zeros(n, 1);
end
