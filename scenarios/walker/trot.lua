-- trot.lua -- a trot: the legs of a diagonal step together, while the other two carry the trunk.
--
-- Legs that are down push on the ground so that the trunk gets a force and a torque that keep its height, attitude, heading
-- and speed. They are shared among the feet with the least forces; damped, since two feet cannot give every torque.
-- A leg that swings moves its foot to where it will be needed: to the hip's place in the middle of the next stance, and
-- further out the faster the trunk is beyond what it should be [Raibert 1986]. When it leaves the ground and when it comes
-- down it is at rest in the world. A leg is down from the moment its foot touches, be it early or late, until its next swing.
--
-- Torques are J^T f of each leg, whose kinematics are written out in place(). All vectors are in world axes.

parameters = {speed = 0.5, start = 1, period = 0.36, duty = 0.7, height = 0.3, lift = 0.06}
-- [m/s], [s] when it begins to step, [s] of a cycle, part of it that a leg is down, [m] of the trunk, [m] of a foot that swings

local LEGS = {"lf", "rf", "lh", "rh"}
local PHASE = {0, 0.5, 0.5, 0} -- of the cycle
local THIGH, SHANK, RADIUS = 0.21, 0.21, 0.02
local HIP_X, HIP_Y, SIDE = 0.19, 0.05, 0.07
local RAMP = 0.2 -- [m/s^2] until the speed is reached

inputs = {["com.p"] = 3, ["com.v"] = 3}
for i = 1, 4 do inputs["contact." .. LEGS[i] .. ".state"] = 1 end
state = {down = {1, 1, 1, 1}, from = {{0, 0}, {0, 0}, {0, 0}, {0, 0}}} -- where each foot left the ground

local leg = {}
for i = 1, 4 do
  local k, at = joint(LEGS[i] .. "_hip")
  leg[i] = {k = k, at = at, x = i <= 2 and 1 or -1, y = i % 2 == 1 and 1 or -1, state = "contact." .. LEGS[i] .. ".state"}
end
local tau, rows = {}, {{}, {}, {}, {}, {}, {}}
for k = 1, nv do tau[k] = 0 end

local function turn(R, x, y, z)
  return {R[1][1] * x + R[1][2] * y + R[1][3] * z, R[2][1] * x + R[2][2] * y + R[2][3] * z,
          R[3][1] * x + R[3][2] * y + R[3][3] * z}
end

-- Of a foot: where it is relative to the trunk, in l.r; its velocity, in l.u; the columns of its Jacobian, in l.J.
local function place(l, q, v, R, u, w)
  local a, b, c = q[l.at], q[l.at + 1], q[l.at + 2]
  local sa, ca, sb, cb, sc, cc = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(b + c), math.cos(b + c)
  local x, down, out = -THIGH * sb - SHANK * sc, -THIGH * cb - SHANK * cc, SIDE * l.y
  local kx, kd = -SHANK * cc, SHANK * sc -- x and down with the knee
  local tx, td = -THIGH * cb + kx, THIGH * sb + kd -- and with the thigh
  local y, z = out * ca - down * sa, out * sa + down * ca
  l.J = {turn(R, 0, -z, y), turn(R, tx, -td * sa, td * ca), turn(R, kx, -kd * sa, kd * ca)}
  l.r = turn(R, HIP_X * l.x + x, HIP_Y * l.y + y, z)
  l.u = cross(w, l.r)
  for i = 1, 3 do
    l.u[i] = l.u[i] + u[i] + l.J[1][i] * v[l.k] + l.J[2][i] * v[l.k + 1] + l.J[3][i] * v[l.k + 2]
  end
end

-- The foot exerts the force f.
local function push(l, f)
  for i = 1, 3 do tau[l.k + i - 1] = dot(l.J[i], f) end
end

-- The way of a foot from `from` to `to` at the part s of its swing: where it is, and how fast, in swings. It moves in the
-- middle of the swing only, while it is off the ground.
local function way(from, to, s)
  local a = math.max(0, math.min(1, (s - 0.1) / 0.7))
  return from + (to - from) * a * a * a * (10 + a * (6 * a - 15)), (to - from) * 30 * a * a * (1 - a) * (1 - a) / 0.7
end

-- A leg that swings, at the part s of it, which is above 1 as long as the foot comes too late. T: [s] of a swing.
local function swing(l, from, p, com, want, s, T)
  local late = math.max(s - 1, 0) * T
  s = math.min(s, 1)
  local ahead = (1 - s) * T + parameters.duty * parameters.period / 2 -- [s] until the middle of the stance
  local hip = {HIP_X * l.x, (HIP_Y + SIDE) * l.y}
  local at, rate, f = {}, {}, {}
  for k = 1, 2 do
    local to = com.p[k] + hip[k] + com.v[k] * ahead + 0.05 * (com.v[k] - want[k])
    at[k], rate[k] = way(from[k], to, s)
  end
  at[3], rate[3] = RADIUS + parameters.lift * 4 * s * (1 - s) - 0.3 * late, parameters.lift * (4 - 8 * s)
  for k = 1, 3 do f[k] = 400 * (at[k] - p[k] - l.r[k]) + 12 * (rate[k] / T - l.u[k]) end
  f[3] = f[3] + 3 -- the leg's own weight, as seen at the foot
  push(l, f)
end

-- Force and torque that the ground should exert, about the centre of mass; angles are small.
local function wanted(p, R, u, w, want)
  local roll, pitch, yaw = R[3][2], -R[3][1], R[2][1]
  return {mass * 12 * (want[1] - u[1]), mass * 12 * (want[2] - u[2]),
          mass * (9.81 + 150 * (parameters.height - p[3]) - 20 * u[3]),
          -150 * roll - 8 * w[1], -100 * pitch - 8 * w[2], -60 * yaw - 6 * w[3]}
end

-- The legs that are down exert it: least forces f with sum f = F, sum r x f = M.
local function carry(F, p, com)
  local n = 0
  for i = 1, 4 do
    if state.down[i] == 1 then
      local r = leg[i].r
      local x, y, z = p[1] + r[1] - com.p[1], p[2] + r[2] - com.p[2], p[3] + r[3] - com.p[3]
      local part = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -z, y}, {z, 0, -x}, {-y, x, 0}}
      for a = 1, 6 do for b = 1, 3 do rows[a][n + b] = part[a][b] end end
      n = n + 3
    end
  end
  if n == 0 then return end
  for a = 1, 6 do for b = n + 1, 12 do rows[a][b] = nil end end
  local f = solve(rows, F, 0.02)
  n = 0
  for i = 1, 4 do
    if state.down[i] == 1 then
      push(leg[i], {-f[n + 1], -f[n + 2], -f[n + 3]})
      n = n + 3
    end
  end
end

function tick(t, q, v, signal)
  local P = parameters
  local p, R = pose("trunk")
  local u, w = velocity("trunk")
  local com = {p = signal["com.p"], v = signal["com.v"]}
  local on, T = t - P.start, (1 - P.duty) * P.period
  local want = {math.max(0, math.min(RAMP * on, P.speed)), -0.5 * p[2]}
  for i = 1, 4 do
    local l = leg[i]
    place(l, q, v, R, u, w)
    local phase = on > PHASE[i] * P.period and (on / P.period + PHASE[i]) % 1 or 0
    local s = (phase - P.duty) * P.period / T -- of the swing; below 0 in the stance
    if state.down[i] == 1 and s > 0 and s < 0.4 then
      state.down[i], state.from[i] = 0, {p[1] + l.r[1], p[2] + l.r[2]}
    elseif signal[l.state] > 0 and (s > 0.6 or s <= 0) then
      state.down[i] = 1
    end
    if state.down[i] == 0 then swing(l, state.from[i], p, com, want, s > 0 and s or 1 + phase * P.period / T, T) end
  end
  carry(wanted(p, R, com.v, w, want), p, com)
  return tau
end
