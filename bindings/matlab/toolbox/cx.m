%CX  Direction cosines of a rotation about x.
%   C = cx(angle)
%
%   C (3 x 3) takes vectors of the axes before the rotation to the rotated axes;
%   its transpose rotates vectors. [rad]
%
%   See also rpy2dc, eul2dc
function varargout = cx(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('cx', varargin{:});
end
