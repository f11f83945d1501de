%TILDE  Skew-symmetric matrix of a vector.
%   B = tilde(a)
%
%   tilde(a) * b = cross(a, b).
%
%   See also cross
function varargout = tilde(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('tilde', varargin{:});
end
