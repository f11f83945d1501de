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
local sin, cos, min, max, solve, mass = math.sin, math.cos, math.min, math.max, solve, mass

inputs = {["com.p"] = 3, ["com.v"] = 3}
for i = 1, 4 do inputs["contact." .. LEGS[i] .. ".state"] = 1 end
state = {down = {1, 1, 1, 1}, from = {{0, 0}, {0, 0}, {0, 0}, {0, 0}}} -- where each foot left the ground

-- Of each leg: its joints, where it is on the trunk, its signal; then what place() finds: where its foot is relative to the
-- trunk (r), how fast it moves (u), and its Jacobian (J, columns).
local leg, rows = {}, {{}, {}, {}, {}, {}, {}}
for i = 1, 4 do
  local k, at = joint(LEGS[i] .. "_hip")
  leg[i] = {k = k, at = at, x = i <= 2 and HIP_X or -HIP_X, y = i % 2 == 1 and 1 or -1,
            state = "contact." .. LEGS[i] .. ".state", r = {0, 0, 0}, u = {0, 0, 0}, J = {{}, {}, {}}}
end
local tau = {}
for k = 1, nv do tau[k] = 0 end

local function place(l, q, v, R, u, w)
  local a, b, c = q[l.at], q[l.at + 1], q[l.at + 2]
  local da, db, dc = v[l.k], v[l.k + 1], v[l.k + 2]
  local sa, ca, sb, cb, sc, cc = sin(a), cos(a), THIGH * sin(b), THIGH * cos(b), SHANK * sin(b + c), SHANK * cos(b + c)
  local x, down, out = l.x - sb - sc, -cb - cc, SIDE * l.y -- in the plane of the leg, which the hip turns
  local y, z = out * ca - down * sa, out * sa + down * ca
  local tx, ty, tz, kx, ky, kz = -cb - cc, -(sb + sc) * sa, (sb + sc) * ca, -cc, -sc * sa, sc * ca -- by thigh, knee
  local hx, hy, hz = l.J[1], l.J[2], l.J[3]
  local at = HIP_Y * l.y + y
  for i = 1, 3 do
    local Rx, Ry, Rz = R[i][1], R[i][2], R[i][3]
    hx[i], hy[i], hz[i] = Rz * y - Ry * z, Rx * tx + Ry * ty + Rz * tz, Rx * kx + Ry * ky + Rz * kz
    l.r[i] = Rx * x + Ry * at + Rz * z
    l.u[i] = u[i] + hx[i] * da + hy[i] * db + hz[i] * dc
  end
  local r, s = l.r, l.u
  s[1], s[2], s[3] = s[1] + w[2] * r[3] - w[3] * r[2], s[2] + w[3] * r[1] - w[1] * r[3], s[3] + w[1] * r[2] - w[2] * r[1]
end

-- The foot exerts this force.
local function push(l, x, y, z)
  for i = 1, 3 do
    local J = l.J[i]
    tau[l.k + i - 1] = J[1] * x + J[2] * y + J[3] * z
  end
end

-- The way of a foot from `from` to `to` at the part s of its swing: where it is, and how fast, in swings. It moves in the
-- middle of the swing only, while it is off the ground.
local function way(from, to, s)
  local a = max(0, min(1, (s - 0.1) / 0.7))
  return from + (to - from) * a * a * a * (10 + a * (6 * a - 15)), (to - from) * 30 * a * a * (1 - a) * (1 - a) / 0.7
end

-- A leg that swings, at the part s of it, which is above 1 as long as the foot comes too late. T, hold: [s] of swing and stance.
local function swing(l, from, p, com, want, s, T, hold, lift)
  local late, r, u = max(s - 1, 0) * T, l.r, l.u
  s = min(s, 1)
  local ahead, cp, cv = (1 - s) * T + hold / 2, com.p, com.v -- [s] until the middle of the stance
  local x, dx = way(from[1], cp[1] + l.x + cv[1] * ahead + 0.05 * (cv[1] - want[1]), s)
  local y, dy = way(from[2], cp[2] + (HIP_Y + SIDE) * l.y + cv[2] * ahead + 0.05 * (cv[2] - want[2]), s)
  local z, dz = lift * 4 * s * (1 - s) + RADIUS - 0.3 * late, lift * (4 - 8 * s)
  push(l, 400 * (x - p[1] - r[1]) + 12 * (dx / T - u[1]), 400 * (y - p[2] - r[2]) + 12 * (dy / T - u[2]),
       400 * (z - p[3] - r[3]) + 12 * (dz / T - u[3]) + 3) -- 3 N: the leg's own weight, as seen at the foot
end

-- Force and torque that the ground should exert, about the centre of mass; angles are small.
local function wanted(p, R, u, w, want, height)
  local roll, pitch, yaw = R[3][2], -R[3][1], R[2][1]
  return {mass * 12 * (want[1] - u[1]), mass * 12 * (want[2] - u[2]),
          mass * (9.81 + 150 * (height - p[3]) - 20 * u[3]),
          -150 * roll - 8 * w[1], -100 * pitch - 8 * w[2], -60 * yaw - 6 * w[3]}
end

-- The legs that are down exert it: least forces f with sum f = F, sum r x f = M.
local function carry(F, down, p, com)
  local n = 0
  for i = 1, 4 do
    if down[i] then
      local r = leg[i].r
      local x, y, z = p[1] + r[1] - com.p[1], p[2] + r[2] - com.p[2], p[3] + r[3] - com.p[3]
      for a = 1, 6 do
        local row = rows[a]
        row[n + 1], row[n + 2], row[n + 3] = 0, 0, 0
        if a <= 3 then row[n + a] = 1 end
      end
      rows[4][n + 2], rows[4][n + 3] = -z, y
      rows[5][n + 1], rows[5][n + 3] = z, -x
      rows[6][n + 1], rows[6][n + 2] = -y, x
      n = n + 3
    end
  end
  if n == 0 then return end
  for a = 1, 6 do for b = #rows[a], n + 1, -1 do rows[a][b] = nil end end
  local f = solve(rows, F, 0.02)
  n = 0
  for i = 1, 4 do
    if down[i] then
      push(leg[i], -f[n + 1], -f[n + 2], -f[n + 3])
      n = n + 3
    end
  end
end

function tick(t, q, v, signal)
  local P = parameters
  local start, period, duty = P.start, P.period, P.duty
  local p, R = pose("trunk")
  local u, w = velocity("trunk")
  local com = {p = signal["com.p"], v = signal["com.v"]}
  local on, T, hold, stance = t - start, (1 - duty) * period, duty * period, state.down
  local want = {max(0, min(RAMP * on, P.speed)), -0.5 * p[2]}
  local down = {}
  for i = 1, 4 do
    local l = leg[i]
    place(l, q, v, R, u, w)
    local phase = on > PHASE[i] * period and (on / period + PHASE[i]) % 1 or 0
    local s = (phase - duty) * period / T -- of the swing; below 0 in the stance
    down[i] = stance[i] == 1
    if down[i] and s > 0 and s < 0.4 then
      down[i], stance[i], state.from[i] = false, 0, {p[1] + l.r[1], p[2] + l.r[2]}
    elseif not down[i] and signal[l.state] > 0 and (s > 0.6 or s <= 0) then
      down[i], stance[i] = true, 1
    end
    if not down[i] then
      swing(l, state.from[i], p, com, want, s > 0 and s or 1 + phase * period / T, T, hold, P.lift)
    end
  end
  carry(wanted(p, R, com.v, w, want, P.height), down, p, com)
  return tau
end
