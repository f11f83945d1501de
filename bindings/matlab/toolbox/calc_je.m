%CALC_JE  Jacobian of an end-point with respect to the joints.
%   J = calc_je(LP, SV, joints)    v2
%   J = calc_je(RR, AA, q, joints)    v1, LP in globals
%
%   J (6 x n), linear rows first, inertial axes; columns of joints that are not
%   in `joints` are zero. joints = j_num(...) is the path from the base to the
%   end-point's link. The base's own part is [E, -tilde(POS_e - R0); 0, E].
%
%   See also calc_jte, calc_jre, calc_gj, j_num
function varargout = calc_je(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_je', varargin{:});
end
