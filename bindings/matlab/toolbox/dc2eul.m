%DC2EUL  3-1-3 Euler angles from direction cosines.
%   euler = dc2eul(C)
%
%   euler = [phi; theta; psi], the inverse of eul2dc. Where theta is 0 or pi,
%   psi is set to zero. [rad]
%
%   See also eul2dc, dc2rpy
function varargout = dc2eul(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('dc2eul', varargin{:});
end
