%CY  Direction cosines of a rotation about y.
%   C = cy(angle)
%
%   C (3 x 3) takes vectors of the axes before the rotation to the rotated axes;
%   its transpose rotates vectors. [rad]
%
%   See also rpy2dc, eul2dc
function varargout = cy(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('cy', varargin{:});
end
