%F_KIN_E  Position and attitude of an end-point.
%   [POS_e, ORI_e] = f_kin_e(LP, SV, joints)    v2
%   [POS_e, ORI_e] = f_kin_e(RR, AA, joints)    v1, LP in globals
%
%   Of the link that is last in joints = j_num(...). ORI_e takes the end-point's
%   axes to inertial axes.
%
%   See also f_kin_j, j_num, i_kine
function varargout = f_kin_e(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_kin_e', varargin{:});
end
