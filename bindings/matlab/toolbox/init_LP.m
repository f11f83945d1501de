%INIT_LP  Constants of a robot.
%   LP = init_LP(n)        a chain of n revolute joints on a base, to be changed
%   LP = init_LP(file)     the robot of a model file: YAML, URDF, MJCF ...
%
%   num_q          number of joints, and of links without the base
%   BB             link below each link, 0: the base            1 x n
%   SS, S0, SE     connections of links; of the base; end-points
%   J_type         'R' or 'P' for each joint                    1 x n
%   c0             base centroid to joint, base axes            3 x n
%   cc             centroid i to joint j, axes of link i        3 x n x n
%   ce, Qe         centroid to end-point, its angles            3 x n
%   Qi             angles of each link on the one below         3 x n
%   m0, m, mass    masses: base, links, all                     [kg]
%   inertia0, inertia   about the centroids, link axes          3 x 3, 3 x 3n
%
%   The chain: a base of 100 kg, a cube of 1 m, with the first joint in the
%   middle of its +x side; links of 10 kg that are rods of 1 m along x and
%   turn about z; an end-point at the tip.
%
%   SpaceDyn has no init_LP of its own: users write one for each robot. Yours,
%   in the working folder, is called instead of this one.
%
%   See also init_SV, f_dyn, freebody.Model
function LP = init_LP(what)
if nargin < 1, what = 1; end
if ischar(what)
  LP = freebody.Model(what).spacedyn();
  return
end
if ~isnumeric(what) || ~isscalar(what) || what < 0 || what ~= floor(what)
  error('freebody:argument', 'init_LP: give a number of joints, or the name of a model file');
end
n = what;
ones_to_n = ones(1, n);
LP.num_q = n;
LP.BB = 0:n-1;
LP.SS = full(diag(ones(max(n - 1, 0), 1), 1)) - eye(n);
if n < 2, LP.SS = -eye(n); end
LP.S0 = double(LP.BB == 0);
LP.SE = double((1:n) == n);
LP.J_type = repmat('R', 1, n);
LP.c0 = [0.5; 0; 0] * LP.S0;
LP.cc = zeros(3, n, n);
for i = 1:n
  LP.cc(1, i, i) = -0.5;
  if i < n, LP.cc(1, i, i + 1) = 0.5; end
end
LP.ce = [0.5; 0; 0] * LP.SE;
LP.Qi = zeros(3, n);
LP.Qe = zeros(3, n);
LP.m0 = 100;
LP.m = 10 * ones_to_n;
LP.mass = LP.m0 + sum(LP.m);
LP.inertia0 = diag([100 100 100] / 6) + zeros(3);
LP.inertia = repmat(diag([0.05 10/12 10/12]) + zeros(3), 1, n);
end
