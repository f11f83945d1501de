%CALC_POS  Positions of the centroids of all links.
%   SV = calc_pos(LP, SV)    v2: sets SV.RR
%   RR = calc_pos(R0, A0, AA, q)    v1, LP in globals
%
%   RR is 3 x n [m]. In the v2 form SV must have AA: call calc_aa first. [] for
%   a robot without joints.
%
%   See also calc_aa, f_kin_e
function varargout = calc_pos(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_pos', varargin{:});
end
