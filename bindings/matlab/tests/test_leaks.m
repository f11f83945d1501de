% Memory does not grow: calls, calls that fail, objects that come and go, robots that change.
function test_leaks(data)
global Gravity d_time
Gravity = [0; 0; 0];
d_time = 0.01;
[LP, SV] = small_robot(5);
scenario = fullfile(data, '..', '..', 'scenarios', 'pendulum', 'pendulum.yaml');
all_of_it(LP, SV, scenario, 20); % what is allocated once
before = resident();
all_of_it(LP, SV, scenario, 100);
grown = resident() - before;
assert(grown < 2, 'memory has grown by %.1f MiB', grown);
end

function all_of_it(LP, SV, scenario, times)
bad = SV;
bad.q(2) = NaN;
wrong = LP;
wrong.BB(2) = 7;
for k = 1:times
  for j = 1:5
    S = f_dyn(LP, SV);
    r_ne(LP, S);
    calc_gj(LP, S, 1);
    [S, log] = f_dyn_rk2(LP, S, 50);
  end
  LP.m0 = 100 + k; % another robot each time
  f_dyn(LP, SV);
  quietly(@() f_dyn(LP, bad));
  quietly(@() f_dyn(wrong, SV));
  quietly(@() freebody.Model('no_such_file'));
  m = freebody.Model(LP);
  q = m.neutral();
  v = zeros(m.nv, 1);
  [t, Q] = m.trajectory(q, v, v, 0.01, 20);
  m.generalized_jacobian(q, m.frames{end});
  quietly(@() m.forward(q, v, 3));
  if mod(k, 10) == 0
    s = freebody.Simulation(scenario);
    s.run_to(0.05);
  end
end
end

function quietly(f)
try
  f();
  error('leaks:none', 'there should be an error');
catch e
  assert(~strcmp(e.identifier, 'leaks:none'));
end
end

% Resident memory [MiB].
function mib = resident()
words = strsplit(fileread('/proc/self/statm'));
mib = str2double(words{2}) * 4096 / 2^20;
end
