%CALC_AA  Attitudes of all links.
%   SV = calc_aa(LP, SV)    v2: sets SV.AA from SV.A0, SV.q
%   AA = calc_aa(A0, q)    v1, LP in globals
%
%   AA is 3 x 3n: AA(:,3*i-2:3*i) takes the axes of link i to inertial axes. []
%   for a robot without joints.
%
%   See also calc_pos, rpy2dc
function varargout = calc_aa(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_aa', varargin{:});
end
