%QTN2DC  Direction cosines from a quaternion.
%   C = qtn2dc(qtn)
%
%   qtn = [x; y; z; w], scalar last, of unit length. The attitude is A = C'.
%
%   See also dc2qtn
function varargout = qtn2dc(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('qtn2dc', varargin{:});
end
