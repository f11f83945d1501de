%INT_EU  One step by Euler's method, attitude as a matrix.
%   SV = int_eu(LP, SV)    v2
%   [R0, A0, v0, w0, q, qd] = int_eu(R0, A0, v0, w0, vd0, wd0, q, qd, qdd)    v1
%
%   Steps by the global d_time with the accelerations of SV, as f_dyn gives
%   them. A0 + d_time * tilde(w0) * A0 is brought back to the nearest rotation.
%   Order 1. (v2r1 takes tilde(w0) in body axes; so does
%   freebody_compat('v2r1').)
%
%   See also int_eu2, f_dyn
function varargout = int_eu(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('int_eu', varargin{:});
end
