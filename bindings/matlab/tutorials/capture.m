% capture.m -- a servicer takes hold of a satellite that tumbles: a scenario, run into a folder and read as columns
%
% The scenario (scenarios/capture) does the work: it approaches with a Lua law, joins the two at contact and brakes. Here we
% run it from Octave and look at what became of the momentum of both.
scenario = fullfile(fileparts(mfilename('fullpath')), '..', '..', '..', 'scenarios', 'capture', 'capture.yaml');
folder = tempname();
run_ = freebody.Run.make(scenario, folder, {}, 60);
disp(run_);

% What happened, and when.
for k = 1:numel(run_.events)
  fprintf('%6.2f s  %s\n', run_.events(k).t, run_.events(k).name);
end
caught = run_.events(1).t;

% Signals are columns over run_.t. Before the capture the target turns by itself, afterwards with the servicer.
target = run_.signal('omega.target');
servicer = run_.signal('omega.servicer');
apart = norm(target(1, :) - servicer(1, :));
together = norm(target(end, :) - servicer(end, :));
fprintf('angular velocities differ by %.4f rad/s at the start, by %.1e at the end\n', apart, together);
assert(strcmp(run_.status, 'finished') && caught > 10 && together < 1e-3 * apart);

% No force from outside acts until the thrusters fire at 45 s, so the angular momentum of both together stays.
L = run_.signal('momentum.angular');
free = run_.t < 45;
assert(max(max(abs(L(free, :) - repmat(L(1, :), nnz(free), 1)))) < 1e-6 * norm(L(1, :)));

f = tutorial_figure();
subplot(2, 1, 1);
plot(run_.t, target, run_.t, servicer, '--');
grid on
ylabel('w of target; servicer dashed [rad/s]');
subplot(2, 1, 2);
plot(run_.t, L);
grid on
xlabel('t [s]'); ylabel('L [N m s]'); legend('x', 'y', 'z');
tutorial_figure(f, 'capture');
clear run_
if exist('OCTAVE_VERSION', 'builtin'), confirm_recursive_rmdir(false); end
rmdir(folder, 's');
