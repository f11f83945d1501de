% Rotations, angles and quaternions are those of the reference; cross does what MATLAB's does, beside SpaceDyn's.
function test_attitude(data)
global d_time
d = jsondecode(fileread(fullfile(data, 'reference', 'spacedyn', 'attitude.json')));
for r = d.cx_cy_cz'
  near([cx(r.angle) cy(r.angle) cz(r.angle)], [r.cx r.cy r.cz], 'cx cy cz');
end
for r = d.rpy2dc'
  near(rpy2dc(r.rpy), r.C, 'rpy2dc');
  near(rpy2dc(r.rpy(1), r.rpy(2), r.rpy(3)), r.C, 'rpy2dc of three');
  near(rpy2dc(dc2rpy(r.C)), r.C, 'dc2rpy');
  if abs(r.rpy(2)) < pi / 2 - 1e-3, near(angle(dc2rpy(r.C) - r.rpy), zeros(3, 1), 'dc2rpy angles', 1e-10); end
end
for r = d.eul2dc'
  near(eul2dc(r.euler_313), r.C, 'eul2dc');
  near(eul2dc(r.euler_313(1), r.euler_313(2), r.euler_313(3)), r.C, 'eul2dc of three');
  near(eul2dc(dc2eul(r.C)), r.C, 'dc2eul');
end
for r = d.dc2rpy_singular', near(dc2rpy(r.C), r.rpy, 'dc2rpy singular'); end
for r = d.dc2eul_singular', near(dc2eul(r.C), r.euler_313, 'dc2eul singular'); end
for r = d.aw'
  d_time = r.dt;
  near(aw(r.w0), r.E0, 'aw');
  near(aw(struct('w0', r.w0)), r.E0, 'aw of SV');
end
for r = d.qtn2dc', near(qtn2dc(r.qtn), r.C, 'qtn2dc'); end
for r = d.dc2qtn', near(dc2qtn(r.C), r.qtn, 'dc2qtn'); end
for r = d.w2dQtn', near(w2dQtn(r.w0_inertial, r.qtn), r.dqtn, 'w2dQtn'); end
for r = d.tr2diff', near(tr2diff(r.AA1, r.AA2), r.diff, 'tr2diff'); end
near(tilde([1 2 3]), [0 -3 2; 3 0 -1; -2 1 0], 'tilde', 0);
crosses();
fails(@() dc2qtn(eye(2)), '3 x 3');
fails(@() qtn2dc([1 2 3]), '4 are needed');
fails(@() w2dQtn([0 0 1], [0 0 0 3]), 'unit quaternion');
fails(@() cx('a'), 'real numbers');
fails(@() tilde([1 2]), '3 are needed');
fails(@() rpy2dc(1, 2), 'arguments');
clear -global d_time
fails(@() aw([0 0 1]), 'd_time is not set');
end

function a = angle(x)
a = mod(x + pi, 2 * pi) - pi;
end

function crosses()
near(cross([1 0 0], [0 1 0]), [0; 0; 1], 'cross of rows is a column', 0);
near(cross([1; 2; 3], [4; 5; 6]), [-3; 6; -3], 'cross', 0);
near(cross([1; 2; 3], [4 5 6]), [-3; 6; -3], 'cross of both', 0);
u = reshape(1:12, 3, 4);
v = magic(4)(1:3, :);
w = cross(u, v);
for k = 1:4, near(w(:, k), cross(u(:, k), v(:, k)), 'cross of columns', 0); end
near(cross(u', v', 2), w', 'cross along 2', 0);
near(cross(u', v'), w', 'cross finds the dimension', 0);
near(cross([1i; 0; 0], [0; 1; 0]), [0; 0; 1i], 'cross of complex numbers', 0);
near(cross(single([1 0 0]), [0 1 0]), single([0; 0; 1]), 'cross of single', 0);
fails(@() cross([1 2], [3 4]), '3 elements');
fails(@() cross(u, v'), 'same size');
fails(@() cross([1 2 3]), 'arguments');
end
