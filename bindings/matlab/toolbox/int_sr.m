%INT_SR  One step by Simpson's rule, attitude as a matrix.
%   SV = int_sr(LP, SV)    v2
%   [R0, A0, v0, w0, q, qd] = ...
%       int_sr(R0, A0, v0, w0, vd0, wd0, q, qd, qdd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   Steps by the global d_time. The accelerations at the start are those of SV,
%   as f_dyn gives them; those in the middle and at the end are computed with
%   the forces of SV. Order 2. (v2r1 takes tilde(w0) in body axes; so does
%   freebody_compat('v2r1').)
%
%   See also int_sr2, f_dyn_rk2
function varargout = int_sr(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('int_sr', varargin{:});
end
