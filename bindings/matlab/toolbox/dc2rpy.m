%DC2RPY  Roll, pitch, yaw from direction cosines.
%   rpy = dc2rpy(C)
%
%   rpy = [roll; pitch; yaw], the inverse of rpy2dc. Where |pitch| is pi/2, yaw
%   is set to zero. [rad]
%
%   See also rpy2dc, dc2eul
function varargout = dc2rpy(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('dc2rpy', varargin{:});
end
