%FREEBODY_CROSS  MATLAB's vector product, for arrays, a dimension and complex numbers.
%   n = freebody_cross(u, v), freebody_cross(u, v, dim)
%
%   What `cross` of this toolbox calls for arguments that are not two real
%   vectors of three numbers.
%
%   See also cross
function n = freebody_cross(u, v, dim)
if ~isnumeric(u) || ~isnumeric(v)
  error('freebody:type', 'cross: both arguments must be numbers');
end
if isvector(u) && isvector(v) && nargin < 3 && numel(u) == 3 && numel(v) == 3
  u = u(:);
  v = v(:);
end
if ~isequal(size(u), size(v))
  error('freebody:size', 'cross: the arguments must have the same size');
end
if nargin < 3
  dim = find(size(u) == 3, 1);
  if isempty(dim)
    error('freebody:size', 'cross: one dimension must have 3 elements');
  end
elseif ~isscalar(dim) || dim ~= floor(dim) || dim < 1 || size(u, dim) ~= 3
  error('freebody:size', 'cross: the dimension given must have 3 elements');
end
at = @(x, k) part(x, dim, k);
n = cat(dim, at(u, 2) .* at(v, 3) - at(u, 3) .* at(v, 2), ...
             at(u, 3) .* at(v, 1) - at(u, 1) .* at(v, 3), ...
             at(u, 1) .* at(v, 2) - at(u, 2) .* at(v, 1));
end

function y = part(x, dim, k)
index = repmat({':'}, 1, ndims(x));
index{dim} = k;
y = x(index{:});
end
