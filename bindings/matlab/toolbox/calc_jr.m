%CALC_JR  Angular Jacobians of all links.
%   JJ_r = calc_jr(LP, SV)    v2
%   JJ_r = calc_jr(AA)    v1, LP in globals
%
%   JJ_r is 3 x n^2, a block of 3 x n for each link: w_i = w0 +
%   JJ_r(:,(i-1)*n+1:i*n) * qd. [] for a robot without joints.
%
%   See also calc_jt
function varargout = calc_jr(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_jr', varargin{:});
end
