%I_KINE  Joint coordinates that bring an end-point to a position and attitude.
%   q_sol = i_kine(LP, SV, POS_e, ORI_e, q_init, num_e)      v2
%   q_sol = i_kine(R0, A0, POS_e, ORI_e, q_init, num_e)      v1, with LP in globals
%
%   The base stays at R0, A0. Starts at q_init and takes a tenth of the
%   pseudo-inverse step at a time, as SpaceDyn does, so that redundant arms
%   end where they end there; then the solution is refined to rounding. An
%   error says when no solution is found. (v2r1 stops at about 1e-7 and accepts
%   attitudes that are wrong by pi; so does freebody_compat('v2r1').)
%
%   See also f_kin_e, calc_je, j_num
function q_sol = i_kine(LP, SV, POS_e, ORI_e, q_init, num_e)
if nargin ~= 6
  error('freebody:argument', 'i_kine: called with %d arguments; help i_kine shows the call', nargin);
end
if ~isstruct(LP)
  [LP, SV] = from_globals(LP, SV);
end
if ~isnumeric(POS_e) || numel(POS_e) ~= 3 || ~isnumeric(ORI_e) || ~isequal(size(ORI_e), [3 3])
  error('freebody:size', 'i_kine: POS_e must have 3 numbers and ORI_e must be 3 x 3');
end
if any(~isfinite(POS_e(:))) || any(~isfinite(ORI_e(:)))
  error('freebody:value', 'i_kine: POS_e or ORI_e is not finite');
end
old = any(strcmp(freebody_compat, {'v2r1', 'v1r2'}));
joints = j_num(LP, num_e);
SV.q = q_init;
step = inf;
for count = 0:1001
  [e, SV, J] = errors(LP, SV, joints, POS_e, ORI_e, old);
  if step <= 1e-8, break, end
  if count > 1000
    error('freebody:FB_ERR_NO_SOLUTION', 'i_kine: Solution does not converge');
  end
  dq = reshape(pinv(J) * (0.1 * e), size(SV.q));
  SV.q = SV.q + dq;
  step = norm(dq(:));
end
q_sol = SV.q;
if old, return, end
for count = 1:20 % Newton's steps, while they bring it nearer
  if norm(e) < 1e-14, break, end
  SV.q = q_sol + reshape(pinv(J) * e, size(q_sol));
  [next, SV, J] = errors(LP, SV, joints, POS_e, ORI_e, old);
  if ~(norm(next) < norm(e)), break, end
  q_sol = SV.q;
  e = next;
end
if ~(norm(e) < 1e-6)
  error('freebody:FB_ERR_NO_SOLUTION', ...
        'i_kine: Solution does not converge: %g m or rad remain; the pose may be out of reach', norm(e));
end
end

% What remains, in position and attitude, and the Jacobian.
function [e, SV, J] = errors(LP, SV, joints, POS_e, ORI_e, old)
SV = calc_pos(LP, calc_aa(LP, SV));
[p, o] = f_kin_e(LP, SV, joints);
turn = tr2diff(ORI_e, o);
if ~old && trace(ORI_e * o') < 1 % more than a right angle, where the sine is no measure of it
  qtn = dc2qtn((ORI_e * o')');
  turn = qtn(1:3) / norm(qtn(1:3));
  if qtn(4) < 0, turn = -turn; end
end
e = [POS_e(:) - p; turn];
J = calc_je(LP, SV, joints);
end

function [LP, SV] = from_globals(R0, A0)
global BB SS S0 SE J_type c0 cc ce Qi Qe m0 m mass inertia0 inertia num_q
LP = struct('num_q', num_q, 'BB', BB, 'SE', SE, 'J_type', J_type, 'c0', c0, 'cc', cc, 'ce', ce, 'Qi', Qi, ...
            'Qe', Qe, 'm0', m0, 'm', m, 'inertia0', inertia0, 'inertia', inertia);
SV = struct('R0', R0, 'A0', A0);
end
