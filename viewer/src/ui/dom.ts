// Makes elements. Text goes in as text only, so that names may hold anything.

type Attributes = Record<string, string | number | boolean | undefined>;
export type Child = Node | string | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// 24 x 24 pictures, drawn with the colour of the text.
const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  start: "M6 5h2.5v14H6zM19 5v14l-9.5-7z",
  end: "M15.5 5H18v14h-2.5zM5 5v14l9.5-7z",
  back: "M16 5v14l-9.5-7z",
  forward: "M8 5v14l9.5-7z",
  loop: "M7 7h9V4l5 4.5L16 13v-3H9v3H6V8zM17 17H8v3l-5-4.5L8 11v3h7v-3h3v5z",
  close: "M6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12 19 6.4 17.6 5 12 10.6z",
  edit: "M4 16.5V20h3.5L18 9.5 14.5 6zM20.5 7a1 1 0 0 0 0-1.4l-2.1-2.1a1 1 0 0 0-1.4 0L15.5 5 19 8.5z",
  zoomIn: "M10 3a7 7 0 1 0 4.2 12.6L20 21.4 21.4 20l-5.8-5.8A7 7 0 0 0 10 3m0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10" +
    "M9 7v2H7v2h2v2h2v-2h2V9h-2V7z",
  zoomOut: "M10 3a7 7 0 1 0 4.2 12.6L20 21.4 21.4 20l-5.8-5.8A7 7 0 0 0 10 3m0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10" +
    "M7 9v2h6V9z",
  fit: "M3 5h2v14H3zM19 5h2v14h-2zM7 12l4-4v3h2V8l4 4-4 4v-3h-2v3z",
  open: "M7 10l5 5 5-5z",
  closed: "M10 7l5 5-5 5z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z" +
    "M4.2 5.6l1.4-1.4 2.8 2.8L7 8.4zM15.6 17l1.4-1.4 2.8 2.8-1.4 1.4zM5.6 19.8l-1.4-1.4L7 15.6 8.4 17z" +
    "M17 8.4 15.6 7l2.8-2.8 1.4 1.4z",
  print: "M7 3h10v4H7zM4 8h16a2 2 0 0 1 2 2v6h-4v-2H6v2H2v-6a2 2 0 0 1 2-2M8 16h8v5H8z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20m-1 15h2v2h-2zm1-11.5A3.5 3.5 0 0 0 8.5 9h2a1.5 1.5 0 1 1 2.6 " +
    "1c-1 1-2.1 1.6-2.1 3.5h2c0-1.3.6-1.7 1.5-2.6A3.5 3.5 0 0 0 12 5.5",
} as const;

export type IconName = keyof typeof ICONS;

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function icon(name: IconName): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name], "fill-rule": "evenodd" }));
}

export function setIcon(button: HTMLElement, name: IconName): void {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
}

// A button that shows a picture; its label is read out and shown when pointed at.
export function iconButton(
  name: IconName, label: string, click: () => void, attributes: Attributes = {},
): HTMLButtonElement {
  const button = el("button", {
    type: "button", class: "icon-button", "aria-label": label, title: label, ...attributes,
  });
  setIcon(button, name);
  button.addEventListener("click", click);
  return button;
}

export function textButton(text: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const button = el("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", click);
  return button;
}

// Changes text only where it differs, so that nothing is laid out again for nothing.
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function saveAs(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
