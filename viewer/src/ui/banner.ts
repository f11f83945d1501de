// Messages about what went wrong, and words for those who listen to the page.
import { reasonOf } from "../data";
import { shorten } from "../text";
import { el, iconButton, setText } from "./dom";

const SHOWN = 4;
const LONGEST = 8000; // characters of a message; its lines stand below each other
const PARTS = 8; // damaged parts that are named
const banners = el("div", { class: "banners", role: "alert" });
const spoken = el("div", { class: "hidden-text", role: "status", "aria-live": "polite" });
const said = new Set<string>();
const lost = el("ul");
const more = el("span");
let parts = 0;

// Stands above all else, once a part of the page is found to be damaged.
export const damage = el("div", { class: "damage", role: "alert", hidden: true },
  el("p", {}, "This page is damaged. The damaged parts are not shown:"), lost,
  el("p", {}, more, "Write it again from the run: ", el("code", {}, "freebody view RUN")));

export function installBanners(): void {
  document.body.append(banners, spoken);
  window.addEventListener("error", (event) => {
    // browsers tell of this when an observer has more to do than one frame allows; nothing is wrong then
    if (event.message.startsWith("ResizeObserver loop")) return;
    report(`Error in this page: ${event.message}`);
  });
  window.addEventListener("unhandledrejection", (event) => {
    report(`Error in this page: ${reasonOf(event.reason)}`);
  });
}

export function report(message: string): void {
  if (said.has(message) || said.size > 100) return;
  said.add(message);
  const banner = el("div", { class: "banner" }, el("p", {}, shorten(message, LONGEST)));
  banner.append(iconButton("close", "Close this message", () => banner.remove()));
  banners.append(banner);
  while (banners.children.length > SHOWN) banners.firstElementChild?.remove();
}

// A part of the page is damaged and not shown. This message stays, and is printed, for what is seen lacks something.
export function reportDamage(part: string): void {
  damage.hidden = false;
  if (++parts <= PARTS) lost.append(el("li", {}, shorten(part, 300)));
  else setText(more, `${parts - PARTS} more parts are damaged. `);
}

// For screen readers.
export function announce(text: string): void {
  setText(spoken, text);
}
