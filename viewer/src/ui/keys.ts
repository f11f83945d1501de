// Keys: what they do, and the list of them for the help.
import type { Overlay } from "../scene/view";

export interface Binding {
  keys: string[]; // as KeyboardEvent.key has them, lower case for letters
  shown: string;
  does: string;
  overlay?: true; // shows or hides something in 3-D
  run: (event: KeyboardEvent) => void;
}

export const OVERLAY_KEYS: [string, Overlay, string][] = [
  ["g", "frames", "frames"], ["n", "names", "names"], ["c", "com", "centre of mass"], ["m", "momentum", "momentum"],
  ["i", "ellipsoids", "inertia ellipsoids"], ["r", "forces", "forces"], ["u", "torques", "torques"],
  ["j", "reactions", "joint reactions"], ["k", "contacts", "contacts"], ["e", "surfaces", "surfaces"],
  ["t", "trails", "trails"],
  ["w", "attitude", "the attitude of the base"], ["y", "sun", "the direction of the sun"],
  ["p", "grid", "ground and grid"], ["s", "stars", "stars"], ["h", "ghost", "the other runs"],
];

// Whether keys belong to what has the focus, and not to the page.
function typing(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !["range", "checkbox", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

// The space bar presses a button that has the focus.
const presses = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLButtonElement || (target instanceof HTMLInputElement && target.type === "checkbox");

export function listenToKeys(bindings: Binding[]): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === " " && presses(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const binding = bindings.find((b) => b.keys.includes(key));
    if (!binding) return;
    event.preventDefault();
    binding.run(event);
  });
}
