%INT_EU2  One step by Euler's method, attitude by a rotation.
%   SV = int_eu2(LP, SV)    v2
%   [R0, A0, v0, w0, q, qd] = int_eu2(R0, A0, v0, w0, vd0, wd0, q, qd, qdd)
%       v1
%
%   Steps by the global d_time with the accelerations of SV, as f_dyn gives
%   them; A0 becomes aw(w0) * A0. Order 1.
%
%   See also aw, int_eu, f_dyn
function varargout = int_eu2(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('int_eu2', varargin{:});
end
