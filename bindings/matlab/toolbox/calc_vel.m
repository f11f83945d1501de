%CALC_VEL  Velocities of all links.
%   SV = calc_vel(LP, SV)    v2: sets SV.vv, SV.ww
%   [vv, ww] = calc_vel(A0, AA, v0, w0, q, qd)    v1, LP in globals
%
%   vv (3 x n) are the velocities of the centroids [m/s], ww (3 x n) the angular
%   velocities [rad/s], inertial axes. In the v2 form SV must have AA: call
%   calc_aa first.
%
%   See also calc_acc
function varargout = calc_vel(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_vel', varargin{:});
end
