%INT_SR2  One step by Simpson's rule, attitude by rotations.
%   SV = int_sr2(LP, SV)    v2
%   [R0, A0, v0, w0, q, qd] = ...
%       int_sr2(R0, A0, v0, w0, vd0, wd0, q, qd, qdd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   As int_sr, with the attitude by exp of the weighted mean of w0. Order 2.
%   (v2r1's is of order 1; freebody_compat('v2r1') computes what it computes.)
%
%   See also int_sr, f_dyn_rk2
function varargout = int_sr2(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('int_sr2', varargin{:});
end
