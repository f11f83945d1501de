%CALC_JT  Linear Jacobians of the centroids of all links.
%   JJ_t = calc_jt(LP, SV)    v2
%   JJ_t = calc_jt(RR, AA)    v1, LP in globals
%
%   JJ_t is 3 x n^2, a block of 3 x n for each link. [] for a robot without
%   joints.
%
%   See also calc_jr
function varargout = calc_jt(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_jt', varargin{:});
end
