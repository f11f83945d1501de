% SET_GLOBALS  Puts LP into SpaceDyn's global variables, for the v1 form of call.
function set_globals(LP)
global BB SS S0 SE J_type c0 cc ce Qi Qe m0 m mass inertia0 inertia num_q Ez
for name = {'BB', 'SS', 'S0', 'SE', 'J_type', 'c0', 'cc', 'ce', 'Qi', 'Qe', 'm0', 'm', 'mass', 'inertia0', 'inertia', 'num_q'}
  eval([name{1} ' = LP.' name{1} ';']);
end
Ez = [0; 0; 1];
end
