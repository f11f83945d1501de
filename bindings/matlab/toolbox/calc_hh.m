%CALC_HH  Inertia matrix of the whole robot.
%   HH = calc_hh(LP, SV)    v2
%   HH = calc_hh(R0, RR, A0, AA)    v1, LP in globals
%
%   HH is (6+n) x (6+n), for the velocities [v0; w0; qd]. In the v2 form SV must
%   have AA and RR: call calc_aa and calc_pos first.
%
%   See also f_dyn, calc_jt, calc_jr
function varargout = calc_hh(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_hh', varargin{:});
end
