-- Brakes all joints but the base: tau = -gain v, with a count of its ticks.
parameters = {gain = 2}
state = {ticks = 0}

function tick(t, q, v)
  state.ticks = state.ticks + 1
end

function act(t, q, v)
  local tau = {}
  for i = 1, #v do
    tau[i] = i > 6 and -parameters.gain * v[i] or 0
  end
  return tau
end
