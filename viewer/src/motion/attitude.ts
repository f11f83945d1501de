// An attitude as numbers that people read: roll, pitch and yaw as the log has them (about x, then the new y, then the
// new z of what is turned: R = Rz(yaw) Ry(pitch) Rx(roll)), and directions seen from what is turned.
import type { Quat, Vec3 } from "../format";

export function rollPitchYaw([w, x, y, z]: Quat): Vec3 {
  const sin = 2 * (w * y - z * x);
  if (Math.abs(sin) > 1 - 1e-12) return [0, Math.sign(sin) * (Math.PI / 2), -2 * Math.sign(sin) * Math.atan2(x, w)];
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sin),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

export function fromRollPitchYaw([roll, pitch, yaw]: Vec3): Quat {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
  ];
}

// A direction of the world, in the axes of what has this attitude.
export function seenFrom([w, x, y, z]: Quat, [a, b, c]: Vec3): Vec3 {
  return [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c,
    2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c,
    2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c,
  ];
}
