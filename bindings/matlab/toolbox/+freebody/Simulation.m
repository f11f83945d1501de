classdef Simulation < handle
  %FREEBODY.SIMULATION  A scenario, step by step.
  %   s = freebody.Simulation(file)
  %   s = freebody.Simulation(file, settings, duration)
  %
  %   The file is a scenario, or a bare model, which runs with defaults; settings
  %   are overrides as of the command, {'control.gain=3'}, duration is in seconds.
  %
  %   s.run()            to the end; Ctrl-C stops it between steps
  %   s.run_to(t)        to the time t, or to where an event stops it
  %   s.t, s.q, s.v      time and state
  %   s.stopped          an event has stopped it
  %   [p, R, v, w] = s.pose(frame)
  %   s.ledger()         energies, momenta, and how well they balance
  %   [t, q, v] = s.sample(times)      states at rising times, one a column
  %
  %   A start outside limits, or with contacts inside each other, gives the warning
  %   freebody:start; a motion that should not be trusted gives freebody:motion.
  %
  %   See also freebody.Run, freebody.Model
  properties (SetAccess = private)
    name = '';
    duration = 0;
    integrator = '';
    frames = {};
  end
  properties (Dependent = true)
    t
    q
    v
    stopped
  end
  properties (SetAccess = private, Hidden = true)
    id = 0;
    remarked = false;
    doubted = false;
  end
  methods
    function o = Simulation(file, settings, duration)
      if nargin < 1, error('freebody:argument', 'freebody.Simulation: give the name of a scenario'); end
      if nargin < 2, settings = {}; end
      if nargin < 3, duration = []; end
      o.id = freebody_mex('Simulation.open', file, settings, duration);
      s = freebody_mex('Simulation.info', o.id);
      o.name = s.name;
      o.duration = s.duration;
      o.integrator = s.integrator;
      o.frames = s.frames;
    end

    function delete(o)
      freebody_mex('free', o.id);
    end

    function disp(o)
      try
        t = o.t;
      catch
        fprintf('  freebody.Simulation %s: deleted\n', o.name);
        return
      end
      fprintf('  freebody.Simulation %s: at %g s of %g s, %s\n', o.name, t, o.duration, o.integrator);
    end

    function t = get.t(o)
      t = freebody_mex('Simulation.state', o.id);
    end

    function q = get.q(o)
      [t, q] = freebody_mex('Simulation.state', o.id);
    end

    function v = get.v(o)
      [t, q, v] = freebody_mex('Simulation.state', o.id);
    end

    function stopped = get.stopped(o)
      [t, q, v, stopped] = freebody_mex('Simulation.state', o.id);
    end

    function run(o)
      o.run_to(o.duration);
    end

    function run_to(o, t)
      o.warn_of_start();
      while ~freebody_mex('Simulation.advance', o.id, t)
      end
      o.warn_of_motion();
    end

    function varargout = pose(o, frame)
      [varargout{1:max(nargout, 1)}] = freebody_mex('Simulation.pose', o.id, frame);
    end

    function l = ledger(o)
      l = freebody_mex('Simulation.ledger', o.id);
    end

    function [t, q, v] = sample(o, times)
      t = [];
      q = [];
      v = [];
      for k = 1:numel(times)
        o.run_to(times(k));
        [tk, qk, vk, stopped] = freebody_mex('Simulation.state', o.id);
        t(k) = tk;
        q(:, k) = qk;
        v(:, k) = vk;
        if stopped, break, end
      end
    end
  end
  methods (Access = private)
    % Each once.
    function warn_of_start(o)
      if o.remarked, return, end
      o.remarked = true;
      k = 1;
      while ~isempty(freebody_mex('Simulation.remark', o.id, k))
        warning('freebody:start', '%s', freebody_mex('Simulation.remark', o.id, k));
        k = k + 1;
      end
      o.warn_of_notes('freebody:start');
    end

    function warn_of_notes(o, kind)
      notes = freebody_mex('Simulation.notes', o.id);
      for k = 1:numel(notes), warning(kind, '%s', notes{k}); end
    end

    function warn_of_motion(o)
      o.warn_of_notes('freebody:motion');
      if o.doubted, return, end
      text = freebody_mex('Simulation.doubt', o.id);
      o.doubted = ~isempty(text);
      if o.doubted, warning('freebody:motion', '%s', text); end
    end
  end
end
