-- approach.lua -- the hand approaches a target that tumbles, and closes in along the axis of its grip.
--
-- The arm is on a base that floats. Of the accelerations of all coordinates, those of bases obey H v' + bias = 0, for
-- nothing acts on bases; and in the six directions of the hand relative to the grip
--
--   error'' + 2 rate error' + rate^2 error = 0,   error = pose of the hand in the grip - its path
--
-- These are as many equations as unknowns. The torques follow by inverse dynamics.

parameters = {rate = 1, slow = 0.15, speed = 0.02, time = 20} -- [1/s], [m] before contact, [m/s], [s] to get there

state = {known = 0, r = {0, 0, 0}, v = {0, 0, 0}} -- the hand in the grip's axes at the start
outputs = {gap = {"m", 1}, miss = {"m", 1}, tilt = {"rad", 1}, closing = {"m/s", 1}}

local BASES = {"servicer", "target"}
local arm = joint("joint1")
local tau, A, b = {}, {}, {}
for i = 1, nv do
  tau[i], b[i], A[i] = 0, 0, {}
  for k = 1, nv do A[i][k] = 0 end
end

local function less(a, c) return {a[1] - c[1], a[2] - c[2], a[3] - c[3]} end

-- The hand relative to the grip, in the grip's axes: where it is, how fast it moves there, how far it is turned.
local function relative()
  local ph, Rh = pose("hand")
  local pg, Rg = pose("grip")
  local vh, wh = velocity("hand")
  local vg, wg = velocity("grip")
  local d = less(ph, pg)
  local u = less(less(vh, vg), cross(wg, d))
  local turn = {0, 0, 0} -- small angles: half the sum of the cross products of the axes, grip to hand
  for k = 1, 3 do
    local c = cross({Rg[1][k], Rg[2][k], Rg[3][k]}, {Rh[1][k], Rh[2][k], Rh[3][k]})
    for i = 1, 3 do turn[i] = turn[i] + c[i] / 2 end
  end
  return {r = transpose_times(Rg, d), v = transpose_times(Rg, u), turn = turn, spin = less(wh, wg), d = d, u = u,
          R = Rg, w = {wg[1], wg[2], wg[3]}}
end

-- The path of one component, its rate and its acceleration: from where it was to `at`, where it has the velocity `to`,
-- as a polynomial of fifth degree, and straight on.
local function path(t, r0, v0, at, to)
  local T = parameters.time
  if t >= T then return at + to * (t - T), to, 0 end
  local s, d, e, f = t / T, at - r0, v0 * T, to * T
  local c3, c4, c5 = 10 * d - 6 * e - 4 * f, -15 * d + 8 * e + 7 * f, 6 * d - 3 * e - 3 * f
  return r0 + s * (e + s * s * (c3 + s * (c4 + s * c5))),
         (e + s * s * (3 * c3 + s * (4 * c4 + s * 5 * c5))) / T,
         s * (6 * c3 + s * (12 * c4 + s * 20 * c5)) / (T * T)
end

function tick(t, q, v) -- remembers the start
  if state.known == 0 then
    local now = relative()
    state.r, state.v, state.known = now.r, now.v, 1
  end
end

-- The accelerations wanted, hand relative to grip, world axes: linear and angular.
local function wanted(t, now)
  local k = parameters.rate
  local linear = {0, 0, 0}
  for i = 1, 3 do
    local x, speed, acceleration = path(t, state.r[i], state.v[i], i == 1 and -parameters.slow or 0,
                                        i == 1 and parameters.speed or 0)
    linear[i] = acceleration + 2 * k * (speed - now.v[i]) + k * k * (x - now.r[i])
  end
  linear = times(now.R, linear)
  local coriolis = cross(now.w, now.u)
  for i = 1, 3 do linear[i] = linear[i] + 2 * coriolis[i] end
  local angular = {0, 0, 0}
  for i = 1, 3 do angular[i] = -2 * k * now.spin[i] - k * k * now.turn[i] end
  return linear, angular
end

function act(t, q, v)
  local now = relative()
  local linear, angular = wanted(t, now)
  local H, h = inertia(), bias()
  for _, name in ipairs(BASES) do
    local base = joint(name)
    for i = base, base + 5 do
      for k = 1, nv do A[i][k] = H[i][k] end
      b[i] = -h[i]
    end
  end
  local Jh, Jg = jacobian("hand"), jacobian("grip")
  local bh, bg = bias_acceleration("hand"), bias_acceleration("grip")
  local centripetal = cross(now.w, cross(now.w, now.d)) -- of the point of the target where the hand is
  local d = now.d
  for i = 1, 3 do
    local j, l = i % 3 + 1, (i + 1) % 3 + 1
    for k = 1, nv do
      A[arm + i - 1][k] = Jh[i][k] - Jg[i][k] - Jg[3 + j][k] * d[l] + Jg[3 + l][k] * d[j]
      A[arm + i + 2][k] = Jh[3 + i][k] - Jg[3 + i][k]
    end
    b[arm + i - 1] = linear[i] + bg[i] + centripetal[i] - bh[i]
    b[arm + i + 2] = angular[i] + bg[3 + i] - bh[3 + i]
  end
  local forces = inverse_dynamics(solve(A, b))
  for i = arm, arm + 5 do tau[i] = forces[i] end
  return tau
end

function output(t, q, v)
  local now = relative()
  return {gap = -now.r[1], miss = math.sqrt(now.r[2] ^ 2 + now.r[3] ^ 2), tilt = norm(now.turn), closing = now.v[1]}
end
