% make_samples.m -- writes the samples of jsonencode(LP) and their twins by links.
%
%   octave-cli make_samples.m        (Octave 7; MATLAB R2024a and later)
%
% For n = 0, 1, 3, 6 it makes a random but fixed SpaceDyn model LP and writes
%   lpN.json    jsonencode(LP), as a MATLAB user would save it
%   linksN.json the same numbers with the link as the outermost list, as the reference files have them
% Numbers have at most 6 decimals, so that both files hold the same doubles whatever digits are printed.
% n = 1 is the case where jsonencode drops dimensions, n = 3 the one where 3 x n is square.

1; % a script, not a function file

function x = pick(seed, rows, cols)
  % A fixed sequence in [-1, 1), rounded; no toolbox and no generator of the host.
  x = zeros(rows, cols);
  s = seed;
  for k = -3:rows * cols
    s = mod(16807 * s, 2147483647);
    if k > 0 % the first few show the seed
      x(k) = round(1e6 * (2 * s / 2147483647 - 1)) / 1e6;
    end
  end
end

function I = body_inertia(seed, size)
  a = pick(seed, 3, 1);
  I = size * (diag([1, 1.2, 1.3]) + 0.1 * [0, a(1), a(2); a(1), 0, a(3); a(2), a(3), 0]);
  I = round(1e6 * I) / 1e6;
end

function LP = make_model(n, BB, J_type)
  LP = struct();
  LP.num_q = n;
  LP.BB = BB;
  LP.J_type = J_type;
  LP.SS = -eye(n);
  LP.S0 = zeros(1, n);
  LP.SE = ones(1, n);
  for j = 1:n
    if BB(j) == 0
      LP.S0(j) = 1;
    else
      LP.SS(BB(j), j) = 1;
      LP.SE(BB(j)) = 0;
    end
  end
  LP.c0 = zeros(3, n);
  LP.cc = zeros(3, n, n);
  LP.ce = zeros(3, n);
  LP.Qe = zeros(3, n);
  LP.Qi = 3 * pick(1000 + n, 3, n);
  LP.m0 = 120.5;
  LP.inertia0 = body_inertia(7, 30);
  LP.m = zeros(1, n);
  LP.inertia = zeros(3, 3 * n);
  for j = 1:n
    if BB(j) == 0
      LP.c0(:, j) = pick(10 * j + 1, 3, 1);
    else
      LP.cc(:, BB(j), j) = 0.5 * round(1e5 * pick(10 * j + 2, 3, 1)) / 1e5;
    end
    LP.cc(:, j, j) = 0.5 * round(1e5 * pick(10 * j + 3, 3, 1)) / 1e5;
    if LP.SE(j)
      LP.ce(:, j) = pick(10 * j + 4, 3, 1);
      LP.Qe(:, j) = pick(10 * j + 5, 3, 1);
    end
    LP.m(j) = 5 + j;
    LP.inertia(:, 3 * j - 2:3 * j) = body_inertia(10 * j + 6, 0.3 + 0.1 * j);
  end
  LP.Gravity = [0; 0; -1.62];
end

function text = row(x)
  % A vector as a flat list, never collapsed.
  parts = arrayfun(@(v) jsonencode(v), x(:)', 'UniformOutput', false);
  text = ['[', strjoin(parts, ','), ']'];
end

function text = list(n, f)
  parts = arrayfun(f, 1:n, 'UniformOutput', false);
  if n == 0, parts = {}; end
  text = ['[', strjoin(parts, ','), ']'];
end

function text = matrix(M)
  text = list(size(M, 1), @(i) row(M(i, :)));
end

function text = by_links(LP, name)
  n = LP.num_q;
  letters = list(n, @(i) ['"', LP.J_type(i), '"']);
  text = ['{"format":"spacedyn-reference","version":1,"name":"', name, '",', char(10), '"model":{"num_q":', ...
          jsonencode(n), ',"BB":', row(LP.BB), ',"SS":', matrix(LP.SS), ',"S0":', row(LP.S0), ',"SE":', ...
          row(LP.SE), ',"J_type":', letters, ',', char(10), ...
          '"c0":', list(n, @(i) row(LP.c0(:, i))), ',', char(10), ...
          '"cc":', list(n, @(i) list(n, @(j) row(LP.cc(:, i, j)))), ',', char(10), ...
          '"ce":', list(n, @(i) row(LP.ce(:, i))), ',', char(10), ...
          '"m0":', jsonencode(LP.m0), ',"inertia0":', matrix(LP.inertia0), ',', char(10), ...
          '"m":', row(LP.m), ',"inertia":', list(n, @(i) matrix(LP.inertia(:, 3 * i - 2:3 * i))), ',', char(10), ...
          '"Qi":', list(n, @(i) row(LP.Qi(:, i))), ',', char(10), ...
          '"Qe":', list(n, @(i) row(LP.Qe(:, i))), ',', char(10), ...
          '"Gravity":', row(LP.Gravity), '}}'];
end

function save_text(file, text)
  f = fopen(file, 'w');
  fprintf(f, '%s\n', text);
  fclose(f);
end

samples = {0, zeros(1, 0), ''; 1, 0, 'P'; 3, [0, 1, 1], 'RPR'; 6, [0, 1, 2, 0, 4, 1], 'RRPRPR'};
for k = 1:size(samples, 1)
  LP = make_model(samples{k, :});
  name = sprintf('lp%d', LP.num_q);
  save_text([name, '.json'], jsonencode(LP));
  save_text(sprintf('links%d.json', LP.num_q), by_links(LP, name));
end
