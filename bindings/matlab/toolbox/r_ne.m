%R_NE  Inverse dynamics: forces from accelerations, by Newton and Euler.
%   Force = r_ne(LP, SV)    v2
%   Force = r_ne(R0, RR, A0, AA, v0, w0, vd0, wd0, q, qd, qdd, Fe, Te)
%       v1, LP in globals
%
%   Force = [F0; T0; tau], what must act on the base and in the joints so that
%   the robot has the given accelerations while Fe and Te act on its end-points,
%   under the global Gravity: the inverse of f_dyn. (v2r1 takes Fe and Te with
%   the opposite sign; so does this function after freebody_compat('v2r1').)
%
%   In the v2 form SV must have AA and RR: call calc_aa and calc_pos first.
%
%   See also f_dyn, freebody_compat
function varargout = r_ne(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('r_ne', varargin{:});
end
