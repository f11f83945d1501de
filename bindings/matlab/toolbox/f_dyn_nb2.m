%F_DYN_NB2  One step of forward dynamics by Newmark's beta method, attitude by rotations.
%   SV = f_dyn_nb2(LP, SV)    v2
%   [SV, log] = f_dyn_nb2(LP, SV, steps)    v2, many steps in one call
%   [R0, A0, v0, w0, q, qd] = ...
%       f_dyn_nb2(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   Steps by the global d_time with forces that are constant in inertial axes
%   (see f_dyn). SV gets R0, A0, v0, w0, q, qd at the end of the step; SV.AA,
%   SV.RR and the like are left as they were: call calc_aa and calc_pos.
%
%   beta = 1/6, gamma = 1/2, iterated until the accelerations at the end of the
%   step fit; the attitude by exp of the mean angular velocity. Order 2.
%
%   With steps, log.t, R0, A0, v0, w0, q, qd have a column (A0: a page) for the
%   start and each step. Ctrl-C is heard.
%
%   See also f_dyn, int_eu2
function varargout = f_dyn_nb2(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_dyn_nb2', varargin{:});
end
