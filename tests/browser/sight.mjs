// Colours as people see them: contrast, and the distance of two colours for those who see all of them and for those who
// lack a kind of cone (Machado, Oliveira, Fernandes 2009, severity 1), in CIE Lab.

const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
export const rgbOf = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const times = (m, v) => m.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));

const EYES = {
  full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]];

function lab(rgb) {
  const f = times(XYZ, rgb).map((x, i) => x / [0.95047, 1, 1.08883][i])
    .map((x) => (x > 0.008856 ? Math.cbrt(x) : 7.787 * x + 16 / 116));
  return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])];
}

// A colour as each kind of eye has it.
export const seen = (hex) => {
  const rgb = rgbOf(hex).map(linear);
  return Object.values(EYES).map((eye) => lab(times(eye, rgb).map((x) => Math.min(1, Math.max(0, x)))));
};

// The smallest distance of two colours in any eye.
export const apart = (a, b) => Math.min(...a.map((one, k) => Math.hypot(...one.map((x, i) => x - b[k][i]))));

export function contrast(a, b) {
  const [light, dark] = [a, b].map((hex) => times(XYZ, rgbOf(hex).map(linear))[1]).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
