%CALC_JTE  Linear Jacobian of an end-point, joints of its path only.
%   JJ_te = calc_jte(LP, SV, joints)    v2
%   JJ_te = calc_jte(RR, AA, q, joints)  v1, LP in globals
%
%   A column of 3 for each joint in `joints`; the end-point is that of the last
%   one.
%
%   See also calc_je, calc_jre
function varargout = calc_jte(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_jte', varargin{:});
end
