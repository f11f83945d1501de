%CALC_GJ  Generalized Jacobian of an end-point.
%   GJ = calc_gj(LP, SV, num_e)    v2
%   GJ = calc_gj(R0, RR, A0, AA, q, num_e)    v1, LP in globals
%
%   GJ (6 x n) gives the velocity of end-point num_e while the base floats
%   freely with zero momentum: [v; w] = GJ * qd, inertial axes, linear part
%   first. End-points are counted along the links that have SE = 1. In the v2
%   form SV must have AA and RR: call calc_aa and calc_pos first.
%
%   See also calc_gj11, calc_je, j_num
function varargout = calc_gj(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_gj', varargin{:});
end
