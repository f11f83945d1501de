-- hand.lua -- resolved motion rate with the generalized Jacobian, in Lua: the same path of the hand as in ets7.yaml.
--
--   rates wanted  = J*^+ (path' + gain (path - position)),   torques = servo (rates wanted - rates)
--
-- Umetani, Yoshida 1989. The servo makes the joints follow the rates; its gain is per joint.

parameters = {gain = 0.5}

local OUT, BACK, RAMP = 30, 60, 0.1              -- [s], [s], part of a leg spent speeding up
local WAY = {0.4, -0.3, 0}                       -- [m]
local SERVO = {800, 800, 400, 60, 20, 2}         -- [N m s/rad]
state = {known = 0, p = {0, 0, 0}}               -- where the hand was at the start

local tau, wanted, arm = {}, {}, {}
for i = 1, nv do tau[i] = 0 end
for r = 1, 6 do wanted[r], arm[r] = 0, {0, 0, 0, 0, 0, 0} end

-- How far along a leg, and how fast, at part s of its time: constant acceleration, speed, deceleration.
local function trapezoid(s)
  if s <= 0 then return 0, 0 end
  if s >= 1 then return 1, 0 end
  local top = 1 / (1 - RAMP)
  if s < RAMP then return top * s * s / (2 * RAMP), top * s / RAMP end
  if s > 1 - RAMP then return 1 - top * (1 - s) ^ 2 / (2 * RAMP), top * (1 - s) / RAMP end
  return top * (s - RAMP / 2), top
end

function tick(t, q, v) -- remembers where the hand was at the start
  if state.known == 0 then
    local p = pose("hand")
    state.p = {p[1], p[2], p[3]}
    state.known = 1
  end
end

function act(t, q, v)
  local x, rate
  if t < OUT then x, rate = trapezoid(t / OUT) else
    x, rate = trapezoid((t - OUT) / (BACK - OUT))
    x, rate = 1 - x, -rate
  end
  local p = pose("hand")
  local J, at = floating_jacobian("hand") -- columns of the arm's six joints first, then those of the paddles
  for r = 1, 6 do
    wanted[r] = r <= 3 and WAY[r] * rate / OUT + parameters.gain * (state.p[r] + WAY[r] * x - p[r]) or 0
    for i = 1, 6 do arm[r][i] = J[r][i] end
    for i = 7, #at do wanted[r] = wanted[r] - J[r][i] * v[at[i]] end
  end
  local rates = solve(arm, wanted)
  for i = 1, 6 do tau[at[i]] = SERVO[i] * (rates[i] - v[at[i]]) end
  return tau
end
