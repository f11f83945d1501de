// Messages about what went wrong, and words for those who listen to the page.
import { reasonOf } from "../data";
import { shorten } from "../text";
import { el, iconButton, setText } from "./dom";

const SHOWN = 4;
const PARTS = 8; // damaged parts that are named
const banners = el("div", { class: "banners", role: "alert" });
const spoken = el("div", { class: "hidden-text", role: "status", "aria-live": "polite" });
const said = new Set<string>();
const damaged = el("ul");
const rest = el("p");
let parts = 0;

export function installBanners(): void {
  document.body.append(banners, spoken);
  window.addEventListener("error", (event) => {
    // browsers tell of this when an observer has more to do than one frame allows; nothing is wrong then
    if (event.message.startsWith("ResizeObserver loop")) return;
    report(`Something in this page failed: ${event.message}`);
  });
  window.addEventListener("unhandledrejection", (event) => {
    report(`Something in this page failed: ${reasonOf(event.reason)}`);
  });
}

export function report(message: string): void {
  if (said.has(message) || said.size > 100) return;
  said.add(message);
  const banner = el("div", { class: "banner" }, el("p", {}, message.slice(0, 2000)));
  banner.append(iconButton("close", "Close this message", () => banner.remove()));
  banners.append(banner);
  const ordinary = banners.querySelectorAll(".banner:not(.damage)");
  if (ordinary.length > SHOWN) ordinary[0].remove();
}

// A part of the page is damaged and not shown. This message stays, and is printed, for what is seen lacks something.
export function reportDamage(part: string): void {
  if (parts++ === 0) {
    banners.prepend(el("div", { class: "banner damage" },
      el("div", {},
        el("p", {}, "This page is damaged. What it has lost is not shown:"), damaged, rest,
        el("p", {}, "Write it again from the run: ", el("code", {}, "freebody view RUN")))));
  }
  if (parts <= PARTS) damaged.append(el("li", {}, shorten(part, 300)));
  else setText(rest, `and ${parts - PARTS} more parts.`);
}

// For screen readers.
export function announce(text: string): void {
  setText(spoken, text);
}
