// Angles as they are shown, in radians or degrees. The log has radians; only what is read on the page is converted.
import type { Listener } from "../player";

const KEY = "freebody-degrees";
const DEGREES = 180 / Math.PI;
const listeners = new Set<Listener>();
let degrees = false;

export const inDegrees = (): boolean => degrees;
export const onAngles = (listener: Listener): void => void listeners.add(listener);

export function beginAngles(): void {
  try {
    degrees = localStorage.getItem(KEY) === "1";
  } catch {
    degrees = false; // pages from disk may be denied it
  }
}

export function setDegrees(on: boolean, remember = true): void {
  if (on === degrees) return;
  degrees = on;
  try {
    if (remember) localStorage.setItem(KEY, on ? "1" : "0");
  } catch {
    // then it holds until the page is closed
  }
  for (const listener of listeners) listener();
}

// How a quantity of this unit is shown: angles and their rates.
export function shownAs(unit: string): { factor: number; unit: string } {
  const angle = degrees && /^rad(\/s(\^2)?)?$/.test(unit);
  return angle ? { factor: DEGREES, unit: unit.replace("rad", "deg") } : { factor: 1, unit };
}
