%CALC_ACC  Accelerations of all links.
%   SV = calc_acc(LP, SV)    v2: sets SV.vd, SV.wd
%   [vd, wd] = calc_acc(A0, AA, w0, ww, vd0, wd0, q, qd, qdd)
%       v1, LP in globals
%
%   vd (3 x n) are the accelerations of the centroids [m/s^2], wd (3 x n) the
%   angular accelerations [rad/s^2], inertial axes, without gravity. In the v2
%   form SV must have AA and ww: call calc_aa and calc_vel first.
%
%   See also calc_vel, f_dyn
function varargout = calc_acc(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_acc', varargin{:});
end
