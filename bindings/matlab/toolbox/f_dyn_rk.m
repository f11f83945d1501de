%F_DYN_RK  One step of forward dynamics by Runge-Kutta on the matrix A0.
%   SV = f_dyn_rk(LP, SV)    v2
%   [SV, log] = f_dyn_rk(LP, SV, steps)    v2, many steps in one call
%   [R0, A0, v0, w0, q, qd] = ...
%       f_dyn_rk(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   Steps by the global d_time with forces that are constant in inertial axes
%   (see f_dyn). SV gets R0, A0, v0, w0, q, qd at the end of the step; SV.AA,
%   SV.RR and the like are left as they were: call calc_aa and calc_pos.
%
%   The attitude is integrated as the matrix A0, A0' = tilde(w0) A0, and brought
%   back to a rotation. (v2r1's f_dyn_rk is no Runge-Kutta method;
%   freebody_compat('v2r1') computes what it computes.) Order 4, as f_dyn_rk2,
%   which is preferable.
%
%   With steps, log.t, R0, A0, v0, w0, q, qd have a column (A0: a page) for the
%   start and each step. Ctrl-C is heard.
%
%   See also f_dyn, int_eu2
function varargout = f_dyn_rk(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_dyn_rk', varargin{:});
end
