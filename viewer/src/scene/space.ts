// Whether a scene is in space: something floats and nothing pulls, unless the scenario says how it looks.
import type { BodyInfo, ViewInfo } from "../format";

export const floats = (body: BodyInfo): boolean => body.parent < 0 && body.joint.type === "free";

export function inSpace(view: ViewInfo, bodies: readonly BodyInfo[]): boolean {
  if (view.background) return view.background === "space";
  return bodies.some(floats) && Math.hypot(...view.gravity) === 0;
}
