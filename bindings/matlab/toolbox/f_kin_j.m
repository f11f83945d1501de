%F_KIN_J  Positions and attitudes of joints.
%   [POS_j, ORI_j] = f_kin_j(LP, SV, joints)    v2
%   [POS_j, ORI_j] = f_kin_j(RR, AA, q, joints)    v1, LP in globals
%
%   A column of POS_j and three of ORI_j for each joint. Of a prismatic joint
%   the position is that on the link below, where its displacement is zero.
%
%   See also f_kin_e, j_num
function varargout = f_kin_j(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_kin_j', varargin{:});
end
