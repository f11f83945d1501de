%CZ  Direction cosines of a rotation about z.
%   C = cz(angle)
%
%   C (3 x 3) takes vectors of the axes before the rotation to the rotated axes;
%   its transpose rotates vectors. [rad]
%
%   See also rpy2dc, eul2dc
function varargout = cz(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('cz', varargin{:});
end
