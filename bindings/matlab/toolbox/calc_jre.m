%CALC_JRE  Angular Jacobian of an end-point, joints of its path only.
%   JJ_re = calc_jre(LP, SV, joints)    v2
%   JJ_re = calc_jre(AA, joints)    v1, LP in globals
%
%   A column of 3 for each joint in `joints`.
%
%   See also calc_je, calc_jte
function varargout = calc_jre(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_jre', varargin{:});
end
