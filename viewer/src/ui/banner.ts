// Messages about what went wrong, and words for those who listen to the page.
import { reasonOf } from "../data";
import { el, iconButton, setText } from "./dom";

const SHOWN = 4;
const banners = el("div", { class: "banners", role: "alert" });
const spoken = el("div", { class: "hidden-text", role: "status", "aria-live": "polite" });
const said = new Set<string>();

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
  while (banners.children.length > SHOWN) banners.firstElementChild?.remove();
}

// For screen readers.
export function announce(text: string): void {
  setText(spoken, text);
}
