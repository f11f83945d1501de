% TUTORIAL_FIGURE  A figure that is not shown, so that tutorials also run without a display.
%   f = tutorial_figure()        before plotting
%   tutorial_figure(f, name)     writes name.svg into the working folder
function f = tutorial_figure(f, name)
if nargin == 0
  if exist('OCTAVE_VERSION', 'builtin')
    warning('off', 'all'); % about the toolkit and its fonts
    graphics_toolkit('gnuplot');
  end
  f = figure('visible', 'off');
  return
end
print(f, [name '.svg'], '-dsvg');
fprintf('wrote %s.svg\n', name);
end
