parameters = {kp = 3}
state = {n = 0, past = {0, 0}}
wrenches = 1
local k, at = joint("elbow")
function tick(t, q, v)
  state.n = state.n + 1
  state.past[1] = uniform(3, state.n)
  local J = jacobian("hand")
  return times(inertia(), v)
end
function act(t, q, v)
  local tau = bias()
  local p, R = pose("hand")
  wrench("hand", {0.1 * p[1], 0, 0}, nil, true)
  tau[k] = -parameters.kp * q[at]
  return tau
end
