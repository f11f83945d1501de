%F_DYN_F0  Forward dynamics, and the forces of velocity and gravity.
%   SV = f_dyn_f0(LP, SV)    v2: as f_dyn, and sets SV.Force10
%   [vd0, wd0, qdd, Force0] = ...
%       f_dyn_f0(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau)    v1, LP in globals
%
%   Force10 ((6+n) x 1) are the forces that the motion needs at zero
%   acceleration: r_ne with vd0 = wd0 = qdd = 0, Fe = Te = 0. Robots without
%   end-points are taken too.
%
%   See also f_dyn, r_ne
function varargout = f_dyn_f0(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_dyn_f0', varargin{:});
end
