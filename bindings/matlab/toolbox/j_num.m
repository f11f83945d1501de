%J_NUM  Joints from the base to an end-point.
%   joints = j_num(LP, num_e)    v2
%   joints = j_num(num_e)    v1, LP in globals
%
%   A row of link numbers, the one on the base first. End-points are counted
%   along the links that have SE = 1. Empty for a robot without end-points.
%
%   See also f_kin_e, calc_je
function varargout = j_num(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('j_num', varargin{:});
end
