%CALC_GJ11  Generalized Jacobian and the part of a given momentum.
%   [GJ, add] = calc_gj11(LP, SV, L, num_e, HH)    v2
%   [GJ, add] = calc_gj11(R0, RR, A0, AA, q, L, num_e, HH)    v1, LP in globals
%
%   As calc_gj, with HH = calc_hh(...) given, and add = Js inv(Hs) L (6 x 1),
%   the part of the end-point's velocity that the momentum L (linear; angular
%   about the base's centroid) adds: [v; w] = GJ * qd + add.
%
%   See also calc_gj, calc_hh
function varargout = calc_gj11(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('calc_gj11', varargin{:});
end
