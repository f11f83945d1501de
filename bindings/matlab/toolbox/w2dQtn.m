%W2DQTN  Rate of a quaternion from an angular velocity.
%   dQtn = w2dQtn(w, Qtn)
%
%   w in inertial axes [rad/s], Qtn = [x; y; z; w] of C = A'.
%
%   See also qtn2dc, f_dyn_rk2
function varargout = w2dQtn(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('w2dQtn', varargin{:});
end
