%RPY2DC  Direction cosines from roll, pitch, yaw.
%   C = rpy2dc(rpy)
%   C = rpy2dc(roll, pitch, yaw)
%
%   C = cz(yaw) * cy(pitch) * cx(roll); the attitude is A = C'. [rad]
%
%   See also dc2rpy
function varargout = rpy2dc(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('rpy2dc', varargin{:});
end
