// Light or dark: what the system prefers, until a button says otherwise.

type Listener = (dark: boolean) => void;

const KEY = "freebody-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners: Listener[] = [];

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a page from disk may not have a store
  }
}

let chosen: "light" | "dark" | null = null;
let forced: "light" | null = null; // paper is white

export const isDark = (): boolean => (forced ?? chosen ?? (system.matches ? "dark" : "light")) === "dark";

const colors = new Map<string, string>(); // of the theme that is on

function apply(): void {
  colors.clear();
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener(isDark());
}

export function beginTheme(): void {
  const stored = remembered();
  if (stored === "light" || stored === "dark") chosen = stored;
  system.addEventListener("change", apply);
  apply();
}

export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

export function setTheme(theme: "light" | "dark" | "auto", remember = true): void {
  chosen = theme === "auto" ? null : theme;
  if (remember) {
    try {
      if (chosen) localStorage.setItem(KEY, chosen);
      else localStorage.removeItem(KEY);
    } catch {
      // then it holds until the page is closed
    }
  }
  apply();
}

export const toggleTheme = (): void => setTheme(isDark() ? "light" : "dark");

export function forceLight(on: boolean): void {
  forced = on ? "light" : null;
  apply();
}

// A colour of the style sheet, as it is now.
export function color(name: string): string {
  let found = colors.get(name);
  if (found === undefined) {
    found = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    colors.set(name, found);
  }
  return found;
}
