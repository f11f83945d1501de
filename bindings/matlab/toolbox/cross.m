%CROSS  Vector product.
%   n = cross(u, v)
%   n = cross(u, v, dim)
%
%   Two real vectors of three numbers give a column, also when they are rows:
%   this is SpaceDyn's function. Arrays, a third argument and complex numbers
%   are treated as MATLAB's own cross treats them.
%
%   See also tilde
function varargout = cross(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('cross', varargin{:});
end
