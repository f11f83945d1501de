classdef Run < handle
  %FREEBODY.RUN  The results of a scenario, in a folder.
  %   r = freebody.Run(folder)                                   reads a run
  %   r = freebody.Run.make(scenario, folder)                    makes one and reads it
  %   r = freebody.Run.make(scenario, folder, settings, duration)
  %
  %   make replaces a run that is in the folder. settings are overrides as of the
  %   command, {'control.gain=3'}. Ctrl-C interrupts it; what was written stays.
  %   What the command warns of gives the warnings freebody:start and freebody:motion.
  %
  %   r.names, r.units       of all signals
  %   r.t                    times, N x 1
  %   r.signal('q.elbow')    N x 1; r.signal('p.hand') has a column a component
  %   r.table()              all signals: a table in MATLAB, a structure in Octave,
  %                          with dots in names replaced by '_'
  %   r.events               structure array with t, name, text
  %   r.status               'finished', 'stopped', 'interrupted', 'failed', 'running'
  %   r.export(file)         .csv or .h5
  %
  %   See also freebody.Simulation
  properties (SetAccess = private)
    folder = '';
    names = {};
    units = {};
    t = [];
    events = [];
    status = '';
  end
  properties (SetAccess = private, Hidden = true)
    id = 0;
  end
  methods
    function o = Run(folder)
      if nargin ~= 1, error('freebody:argument', 'freebody.Run: give the folder of a run'); end
      o.id = freebody_mex('Run.open', folder);
      s = freebody_mex('Run.info', o.id);
      o.folder = folder;
      o.names = s.names;
      o.units = s.units;
      o.status = s.status;
      o.t = freebody_mex('Run.read', o.id, '');
      o.events = struct('t', num2cell(s.event_t), 'name', s.event_names, 'text', s.event_texts);
    end

    function delete(o)
      freebody_mex('free', o.id);
    end

    function disp(o)
      fprintf('  freebody.Run %s: %s, %d samples of %d signals\n', o.folder, o.status, numel(o.t), numel(o.names));
    end

    function values = signal(o, name)
      values = freebody_mex('Run.read', o.id, name);
    end

    function all = table(o)
      all = struct('t', o.t);
      for k = 1:numel(o.names)
        all.(freebody.Run.word(o.names{k})) = freebody_mex('Run.read', o.id, o.names{k});
      end
      if exist('struct2table', 'file') || exist('struct2table', 'builtin')
        all = struct2table(all);
      end
    end

    function export(o, file)
      freebody_mex('Run.export', o.id, file);
    end
  end
  methods (Static)
    function o = make(scenario, folder, settings, duration)
      if nargin < 2, error('freebody:argument', 'freebody.Run.make: give a scenario and a folder'); end
      if nargin < 3, settings = {}; end
      if nargin < 4, duration = []; end
      job = freebody_mex('Run.begin', scenario, folder, settings, duration, 1);
      % Also when Ctrl-C comes: the run is closed, and called interrupted.
      closing = onCleanup(@() freebody.Run.close(job));
      notes = freebody_mex('Run.doubt', job);
      for k = 1:numel(notes), warning('freebody:start', '%s', notes{k}); end
      while ~freebody_mex('Run.advance', job)
      end
      [notes, doubt] = freebody_mex('Run.doubt', job);
      clear closing
      for k = 1:numel(notes), warning('freebody:motion', '%s', notes{k}); end
      if ~isempty(doubt), warning('freebody:motion', '%s', doubt); end
      o = freebody.Run(folder);
    end
  end
  methods (Static, Hidden = true)
    function close(job)
      freebody_mex('Run.finish', job);
      freebody_mex('free', job);
    end

    function w = word(name)
      w = regexprep(name, '[^A-Za-z0-9_]', '_');
    end
  end
end
