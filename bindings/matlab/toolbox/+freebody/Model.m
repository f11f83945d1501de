classdef Model < handle
  %FREEBODY.MODEL  Kinematics, dynamics and trajectories of any model.
  %   m = freebody.Model(file)     a model file: YAML or JSON, URDF, SpaceDyn JSON
  %   m = freebody.Model(LP)       a robot in SpaceDyn's constants
  %
  %   State: q (nq x 1) and v (nv x 1). A floating base comes first: q has its
  %   position and unit quaternion w x y z, v its velocity and angular velocity
  %   in world axes. m.q_at(i), m.v_at(i) say where joint i begins. Frames are
  %   given by name. Everything is in world axes, SI, radians; 6-vectors have the
  %   linear part first.
  %
  %   q = m.neutral()                 all zero, quaternions 1
  %   [q, v] = m.random(seed)
  %   q = m.integrate(q, v, dt)       along v for dt
  %   [p, R, v, w] = m.pose(q, frame, v)
  %   [J, Jdot] = m.jacobian(q, frame, v)
  %   [p, v] = m.centre_of_mass(q, v)
  %   L = m.momentum(q, v, point)     linear; angular about the point (default: origin)
  %   [T, V] = m.energy(q, v)         kinetic, potential
  %   H = m.inertia(q)
  %   h = m.bias(q, v)                velocity and gravity terms
  %   vdot = m.forward(q, v, tau, wrenches)     also many states, one a column
  %   tau = m.inverse(q, v, vdot, wrenches)     likewise
  %   [J, columns] = m.generalized_jacobian(q, frame)       J*, free-floating
  %   [v, least] = m.resolved_rate(q, frame, velocity, damping)
  %   q = m.inverse_kinematics(q, frame, p, R)     R [] leaves the attitude free
  %   [t, q, v] = m.trajectory(q, v, tau, step, steps, method)      in one call
  %   LP = m.spacedyn()               SpaceDyn's constants
  %   m.write(file)
  %
  %   m.gravity (3 x 1) acts in bias, forward, inverse, energy and trajectory.
  %   wrenches: a structure array with frame, force and torque. tau of a
  %   trajectory: nv x 1, or nv x steps, each held for a step; method: 'rk4'
  %   (default), 'rkmk4', 'dopri5', 'momentum', ...
  %
  %   See also freebody.Simulation, freebody.Run, init_LP
  properties (SetAccess = private)
    name = '';
    nq = 0;
    nv = 0;
    mass = 0;
    bodies = {};
    joints = {};
    types = {};
    frames = {};
    q_at = [];
    v_at = [];
  end
  properties
    gravity = [0; 0; 0];
  end
  properties (SetAccess = private, Hidden = true)
    id = 0;
  end
  methods
    function o = Model(what)
      if nargin ~= 1
        error('freebody:argument', 'freebody.Model: give the name of a model file, or LP');
      end
      if isstruct(what)
        o.id = freebody_mex('Model.of_links', what);
      else
        o.id = freebody_mex('Model.load', what);
      end
      s = freebody_mex('Model.info', o.id);
      o.name = s.name;
      o.nq = s.nq;
      o.nv = s.nv;
      o.mass = s.mass;
      o.bodies = s.bodies;
      o.joints = s.joints;
      o.types = s.types;
      o.frames = s.frames;
      o.q_at = s.q_at;
      o.v_at = s.v_at;
      o.gravity = s.gravity;
    end

    function delete(o)
      freebody_mex('free', o.id);
    end

    function disp(o)
      fprintf('  freebody.Model %s: %d bodies, nq %d, nv %d, %g kg\n', o.name, numel(o.bodies), o.nq, o.nv, o.mass);
    end

    function q = neutral(o)
      q = freebody_mex('Model.neutral', o.id);
    end

    function [q, v] = random(o, seed)
      if nargin < 2, seed = 1; end
      [q, v] = freebody_mex('Model.random', o.id, seed);
    end

    function q = integrate(o, q, v, dt)
      q = freebody_mex('Model.integrate', o.id, q, v, dt);
    end

    function varargout = pose(o, q, frame, varargin)
      [varargout{1:max(nargout, 1)}] = freebody_mex('Model.pose', o.id, q, frame, varargin{:});
    end

    function varargout = jacobian(o, q, frame, varargin)
      [varargout{1:max(nargout, 1)}] = freebody_mex('Model.jacobian', o.id, q, frame, varargin{:});
    end

    function varargout = centre_of_mass(o, q, varargin)
      [varargout{1:max(nargout, 1)}] = freebody_mex('Model.centre', o.id, q, varargin{:});
    end

    function L = momentum(o, q, v, varargin)
      L = freebody_mex('Model.momentum', o.id, q, v, varargin{:});
    end

    function [T, V] = energy(o, q, v)
      [T, V] = freebody_mex('Model.energy', o.id, q, v, o.gravity);
    end

    function H = inertia(o, q)
      H = freebody_mex('Model.inertia', o.id, q);
    end

    function h = bias(o, q, v)
      h = freebody_mex('Model.bias', o.id, q, v, o.gravity);
    end

    function vdot = forward(o, q, v, tau, wrenches)
      if nargin < 5, wrenches = []; end
      vdot = freebody_mex('Model.forward', o.id, q, v, tau, o.gravity, freebody.Model.as_cell(wrenches));
    end

    function tau = inverse(o, q, v, vdot, wrenches)
      if nargin < 5, wrenches = []; end
      tau = freebody_mex('Model.inverse', o.id, q, v, vdot, o.gravity, freebody.Model.as_cell(wrenches));
    end

    function [J, columns] = generalized_jacobian(o, q, frame)
      [J, columns] = freebody_mex('Model.generalized_jacobian', o.id, q, frame);
    end

    function [v, least] = resolved_rate(o, q, frame, velocity, varargin)
      [v, least] = freebody_mex('Model.resolved_rate', o.id, q, frame, velocity, varargin{:});
    end

    function q = inverse_kinematics(o, q, frame, p, varargin)
      q = freebody_mex('Model.inverse_kinematics', o.id, q, frame, p, varargin{:});
    end

    function [t, q, v] = trajectory(o, q, v, tau, step, steps, varargin)
      [t, q, v, doubt] = freebody_mex('Model.trajectory', o.id, q, v, tau, step, steps, o.gravity, varargin{:});
      if ~isempty(doubt), warning('freebody:motion', '%s', doubt); end
    end

    function write(o, file)
      freebody_mex('Model.write', o.id, file);
    end

    function LP = spacedyn(o)
      d = jsondecode(freebody_mex('Model.spacedyn', o.id));
      LP = freebody.Model.links(d.model);
    end
  end
  methods (Static, Hidden = true)
    function c = as_cell(wrenches)
      c = {};
      if isempty(wrenches), return, end
      if ~isstruct(wrenches) || ~all(isfield(wrenches, {'frame', 'force', 'torque'}))
        error('freebody:type', 'the wrenches must be a structure with frame, force and torque');
      end
      for k = 1:numel(wrenches)
        c = [c, {wrenches(k).frame, wrenches(k).force, wrenches(k).torque}];
      end
    end

    % SpaceDyn's arrays from lists by links.
    function LP = links(m)
      n = m.num_q;
      columns = @(x) reshape(x, n, 3)';
      LP.num_q = n;
      LP.BB = reshape(m.BB, 1, n);
      LP.SS = reshape(m.SS, n, n);
      LP.S0 = reshape(m.S0, 1, n);
      LP.SE = reshape(m.SE, 1, n);
      LP.J_type = reshape(char(m.J_type), 1, n);
      LP.c0 = columns(m.c0);
      LP.cc = permute(reshape(m.cc, n, n, 3), [3 1 2]);
      LP.ce = columns(m.ce);
      LP.Qi = columns(m.Qi);
      LP.Qe = columns(m.Qe);
      LP.m0 = m.m0;
      LP.m = reshape(m.m, 1, n);
      LP.mass = LP.m0 + sum(LP.m);
      LP.inertia0 = m.inertia0;
      LP.inertia = reshape(permute(reshape(m.inertia, n, 3, 3), [2 3 1]), 3, 3 * n);
    end
  end
end
