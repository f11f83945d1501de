%F_DYN  Forward dynamics: accelerations from forces.
%   SV = f_dyn(LP, SV)    v2
%   [vd0, wd0, qdd] = f_dyn(R0, A0, v0, w0, q, qd, F0, T0, Fe, Te, tau)
%       v1, LP in globals
%
%   Accelerations of the base (vd0, wd0, inertial axes) and the joints (qdd)
%   under the force F0 and torque T0 on the base at its centroid, Fe and Te (3 x
%   n) on the end-points of links with SE = 1, joint forces tau, and the global
%   Gravity. Forces act on the robot, in inertial axes.
%
%   The v2 form also sets SV.AA, RR, vv, ww, vd, wd at this state. (SpaceDyn
%   v2r1 leaves the last four as they were; so does this function after
%   freebody_compat('v2r1').)
%
%   Cost O(n). LP is compared with those of earlier calls, and a model is built
%   only when it is new: see freebody_cache.
%
%   See also f_dyn_rk2, r_ne, init_LP, init_SV, freebody_compat
function varargout = f_dyn(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('f_dyn', varargin{:});
end
