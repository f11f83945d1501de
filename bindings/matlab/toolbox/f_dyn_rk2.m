%F_DYN_RK2  One step of forward dynamics by Runge-Kutta on the quaternion.
%   SV = f_dyn_rk2(LP, SV)    v2
%   [SV, log] = f_dyn_rk2(LP, SV, steps)    v2, many steps in one call
%   [R0, A0, v0, w0, q, qd] = ...
%       f_dyn_rk2(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   Steps by the global d_time with forces that are constant in inertial axes
%   (see f_dyn). SV gets R0, A0, v0, w0, q, qd at the end of the step; SV.AA,
%   SV.RR and the like are left as they were: call calc_aa and calc_pos.
%
%   The attitude is integrated as a quaternion, normalised at every stage: order
%   4. The v2 form also sets SV.Qtn0, after the step, and SV.dQtn0, before it,
%   as SpaceDyn v2r1 does.
%
%   With steps, log.t, R0, A0, v0, w0, q, qd have a column (A0: a page) for the
%   start and each step. Ctrl-C is heard.
%
%   See also f_dyn, int_eu2
function varargout = f_dyn_rk2(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_dyn_rk2', varargin{:});
end
