-- hop.lua -- a leg that hops: a springy ground under the foot, and a leg that pushes off while the foot is down.
--
-- act is asked at every stage of every step and returns the joint forces; the ground is a wrench on the frame `foot`.

parameters = {leg = 800, damping = 6, push = 22} -- spring of the leg [N/m], its damper [N s/m], push-off [N]
wrenches = 1                                     -- act may push one frame

local GROUND, LOSS = 1e4, 0.6 -- of the ground: stiffness [N/m], loss at speed [s/m] (Hunt, Crossley 1975)
local k, at = joint("leg")
local tau = {0, 0}

function act(t, q, v)
  tau[k] = -parameters.leg * q[at] - parameters.damping * v[k]
  local p, u = pose("foot"), velocity("foot")
  if p[3] < 0 then
    local force = -GROUND * p[3] * (1 - LOSS * u[3])
    if force > 0 then wrench("foot", {0, 0, force}) end
    if v[k] < 0 then tau[k] = tau[k] - parameters.push end -- the leg gets longer: push
  end
  return tau
end
