-- feedback.lua -- the inputs of the reference: the base follows a slow motion, the tip slides along the surface by a path
-- and presses on it by a force that is twice negative for a moment, which lifts it off.
--
--   u = M J^-1 r + h - J_N f_N(t)      J: base x, height, angle; tip x, tip height, attitude of the last link
--                                      r: accelerations wanted of these, less J' v

local KB, DB = 4, 4                       -- base
local KX, DX, KZ, DZ = 36, 12, 25, 10     -- tip, along and across the surface
local KP, DP, PHI = 36, 12, math.acos(0.6) -- attitude of the last link [rad]
local BASE, SWAY, PERIOD = {0, 2.5, 0}, {0.06, 0.03, 0.05}, 5 -- start, amplitude and period of the base's motion
local X = math.sqrt(3) / 2 + 0.4 -- where the tip starts [m]
local STEPS = { -- of the tip: length [m], time, duration [s]
  {0.16, 1.15, 0.2}, {-0.003, 1.6, 0.2}, {0.123, 2.62, 0.12}, {-0.28, 3.9, 0.25}, {0.003, 4.6, 0.2},
}
local LIFTS = {{8, 0.3, 0.15}, {8, 2.1, 0.14}} -- force taken off [N], time, duration [s]

local function tanh(x)
  local e = math.exp(-2 * math.abs(x))
  return (x < 0 and -1 or 1) * (1 - e) / (1 + e)
end

-- Path of the tip: place, speed, acceleration.
local function path(t)
  local x, rate, acceleration = X, 0, 0
  for _, step in ipairs(STEPS) do
    local a, w = step[1], step[3]
    local h = tanh((t - step[2]) / w)
    local s = 1 - h * h
    x = x + a / 2 * (1 + h)
    rate = rate + a / 2 * s / w
    acceleration = acceleration - a * h * s / (w * w)
  end
  return x, rate, acceleration
end

-- The normal force wanted.
local function press(t)
  local force = 5 + 1.5 * math.sin(3 * t)
  for _, lift in ipairs(LIFTS) do
    local s = (t - lift[2]) / lift[3]
    force = force - lift[1] * math.exp(-s * s)
  end
  return force
end

local J = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}, 0, 0, {0, 0, 1, 1, 1, 1}}
local r = {0, 0, 0, 0, 0, 0}

function act(t, q, v)
  local p, u = pose("tip"), velocity("tip")
  local rows, rest = jacobian("tip"), bias_acceleration("tip")
  local x, rate, acceleration = path(t)
  local angle, turning = 0, 0
  for k = 3, 6 do
    angle = angle + q[k]
    turning = turning + v[k]
  end
  for k = 1, 3 do
    local wanted = BASE[k] + SWAY[k] * (1 - math.cos(2 * math.pi * t / PERIOD)) / 2
    r[k] = -KB * (q[k] - wanted) - DB * v[k]
  end
  r[4] = acceleration + KX * (x - p[1]) + DX * (rate - u[1]) - rest[1]
  r[5] = -KZ * p[3] - DZ * u[3] - rest[3]
  r[6] = KP * (PHI - angle) - DP * turning
  J[4], J[5] = rows[1], rows[3]
  local tau, force = inverse_dynamics(solve(J, r)), press(t)
  for k = 1, 6 do tau[k] = tau[k] - rows[3][k] * force end
  return tau
end
