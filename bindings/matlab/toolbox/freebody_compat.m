%FREEBODY_COMPAT  Results as SpaceDyn v2r1 or v1r2 computes them.
%   freebody_compat('v2r1')    from now on
%   freebody_compat('v1r2')    those of version 1, release 2
%   freebody_compat('off')    corrected results, the default
%   setting = freebody_compat
%       the present one; with an argument, the one before
%
%   With 'v2r1':
%     r_ne takes Fe and Te with the opposite sign
%     f_dyn, f_dyn_f0 leave SV.vv, ww, vd, wd as they were
%     int_eu, int_sr, int_sr2, f_dyn_rk integrate the attitude as v2r1 does,
%       which does not converge unless motion is planar
%     i_kine stops as v2r1 does, within about 1e-7, and takes an attitude that
%       is wrong by pi
%   With 'v1r2':
%     int_eu, int_eu2, f_dyn_rk, f_dyn_rk2, f_dyn_nb, f_dyn_nb2 step as v1r2
%       does; A0 is never brought back to a rotation
%     dc2rpy has the signs of zeros of v1r2; i_kine stops as with 'v2r1'
%
%   See also f_dyn, r_ne
function varargout = freebody_compat(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('freebody_compat', varargin{:});
end
