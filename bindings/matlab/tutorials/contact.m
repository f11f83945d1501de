% contact.m -- a hand that works along a surface: it sticks, slides, lifts off and comes back
%
% The scenario (scenarios/contact_work) follows section 4 of Hu (2015): Coulomb friction 0.1, hard contact. We run it and check
% the laws of contact on what was logged.
scenario = fullfile(fileparts(mfilename('fullpath')), '..', '..', '..', 'scenarios', 'contact_work', 'contact_work.yaml');
folder = tempname();
run_ = freebody.Run.make(scenario, folder);
disp(run_);

gap = run_.signal('contact.tip.gap');
normal = run_.signal('contact.tip.normal');
tangential = run_.signal('contact.tip.tangential');
slip = run_.signal('contact.tip.slip');

% Signorini: no penetration, no pulling, and no force across a gap.
fprintf('deepest penetration %.1e m, least normal force %.1f N\n', max(0, -min(gap)), min(normal));
assert(min(gap) > -1e-6 && min(normal) > -1e-9);
assert(max(normal(gap > 1e-5)) < 1e-6);

% Coulomb: the tangential force stays in the cone.
assert(all(abs(tangential) <= 0.1 * normal + 1e-6));

% Events tell when the contact changes.
names = {run_.events.name};
for what = {'contact.tip.sticks', 'contact.tip.slips', 'contact.tip.opens', 'contact.tip.hits'}
  fprintf('%-20s %d times\n', what{1}, nnz(strcmp(names, what{1})));
  assert(any(strcmp(names, what{1})));
end

f = tutorial_figure();
subplot(3, 1, 1);
plot(run_.t, 1e3 * gap);
grid on
ylabel('gap [mm]');
subplot(3, 1, 2);
plot(run_.t, normal, run_.t, 10 * tangential);
grid on
ylabel('force [N]'); legend('normal', '10 x tangential');
subplot(3, 1, 3);
plot(run_.t, slip);
grid on
xlabel('t [s]'); ylabel('slip [m/s]');
tutorial_figure(f, 'contact');
clear run_
if exist('OCTAVE_VERSION', 'builtin'), confirm_recursive_rmdir(false); end
rmdir(folder, 's');
