// Rotations and moves in double precision on flat arrays, written in place: `o` names where in the array a quaternion
// (w x y z) or a point begins. three's own quaternions are kept for drawing.
export type Numbers = Float64Array | number[];

// out = a b; out may be either.
export function multiply(out: Numbers, o: number, a: Numbers, oa: number, b: Numbers, ob: number): void {
  const aw = a[oa], ax = a[oa + 1], ay = a[oa + 2], az = a[oa + 3];
  const bw = b[ob], bx = b[ob + 1], by = b[ob + 2], bz = b[ob + 3];
  out[o] = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

// out = p + R(q) v: a point v of a frame at p, q, seen from outside. out may be v.
export function place(
  out: Numbers, o: number, p: Numbers, op: number, q: Numbers, oq: number, v: Numbers, ov: number,
): void {
  const w = q[oq], x = q[oq + 1], y = q[oq + 2], z = q[oq + 3];
  const vx = v[ov], vy = v[ov + 1], vz = v[ov + 2];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[o] = p[op] + (vx + w * tx + (y * tz - z * ty));
  out[o + 1] = p[op + 1] + (vy + w * ty + (z * tx - x * tz));
  out[o + 2] = p[op + 2] + (vz + w * tz + (x * ty - y * tx));
}

// To length 1; without length it is no rotation.
export function normalise(q: Numbers, o: number): void {
  const length = Math.sqrt(q[o] * q[o] + q[o + 1] * q[o + 1] + q[o + 2] * q[o + 2] + q[o + 3] * q[o + 3]);
  if (length === 0) {
    q[o] = 1;
    return;
  }
  for (let i = 0; i < 4; i++) q[o + i] /= length;
}

// The turn by an angle about an axis of length 1.
export function turn(out: Numbers, o: number, axis: Numbers, oa: number, angle: number): void {
  const s = Math.sin(angle / 2);
  out[o] = Math.cos(angle / 2);
  out[o + 1] = s * axis[oa];
  out[o + 2] = s * axis[oa + 1];
  out[o + 3] = s * axis[oa + 2];
}
