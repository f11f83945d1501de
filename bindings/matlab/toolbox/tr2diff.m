%TR2DIFF  Small difference of two attitudes.
%   d = tr2diff(AA1, AA2)
%
%   d (3 x 1) = sin(angle) * axis of the rotation from AA2 to AA1, inertial
%   axes. It is zero for equal attitudes, but also for a rotation by pi.
%
%   See also i_kine
function varargout = tr2diff(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('tr2diff', varargin{:});
end
