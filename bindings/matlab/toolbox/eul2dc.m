%EUL2DC  Direction cosines from 3-1-3 Euler angles.
%   C = eul2dc(euler)
%   C = eul2dc(phi, theta, psi)
%
%   C = cz(psi) * cx(theta) * cz(phi). [rad]
%
%   See also dc2eul, cz, cx
function varargout = eul2dc(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('eul2dc', varargin{:});
end
