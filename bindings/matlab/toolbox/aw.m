%AW  Rotation of the base over one step.
%   E0 = aw(SV)    v2: w0 is SV.w0
%   E0 = aw(w0)    v1
%
%   E0 = exp(tilde(w0) d_time), 3 x 3, so that A0(t + d_time) = E0 * A0(t) while
%   the angular velocity w0 (inertial axes, rad/s) is constant. d_time is a
%   global variable, in seconds.
%
%   See also int_eu2, tilde, w2dQtn
function varargout = aw(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('aw', varargin{:});
end
