%DC2QTN  Quaternion from direction cosines.
%   qtn = dc2qtn(C)
%
%   qtn = [x; y; z; w], scalar last, the largest component positive. C = A' for
%   an attitude A.
%
%   See also qtn2dc, w2dQtn
function varargout = dc2qtn(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('dc2qtn', varargin{:});
end
