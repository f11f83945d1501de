// The canvas and what draws on it. Without WebGL, or when it is lost, a message stands there instead and everything
// else goes on.
import * as THREE from "three";
import { canvas, context } from "./early";

const AFTER = 100; // [ms] from when all is made to when what is hidden is drawn
const MOST_PIXELS = 2; // device pixels a CSS pixel

const NO_WEBGL =
  "This browser cannot draw in 3-D here: WebGL is switched off or missing. Plots, events and numbers still work.";
const LOST = "The 3-D drawing was interrupted by the graphics driver. It will come back; if not, reload the page.";

export class Screen {
  readonly element = document.createElement("div");
  readonly canvas = canvas;
  readonly renderer: THREE.WebGLRenderer | null;
  width = 1; // in CSS pixels
  height = 1;
  private readonly message = document.createElement("p");

  // `restored`: everything on the graphics card was lost, and is wanted again.
  constructor(description: string, private readonly redraw: () => void, restored: () => void) {
    this.element.style.cssText = "position:relative;width:100%;height:100%;overflow:hidden";
    this.canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none;outline-offset:-3px";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application"); // its keys are its own
    this.canvas.setAttribute("aria-label", description);
    this.message.setAttribute("role", "status");
    this.message.hidden = true;
    this.message.style.cssText =
      "position:absolute;inset:0;margin:auto;width:min(28em,86%);height:fit-content;padding:1em 1.2em;" +
      "border-radius:.6em;font:500 15px/1.5 system-ui,sans-serif;color:#10151d;background:#f4f6f9;text-align:center";
    this.element.append(this.canvas, this.message);
    this.renderer = this.makeRenderer();
    if (!this.renderer) this.say(NO_WEBGL);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.say(LOST);
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.say("");
      restored();
      this.redraw();
    });
    if (typeof ResizeObserver !== "undefined") {
      new ResizeObserver(() => {
        if (this.measure()) this.redraw();
      }).observe(this.element);
    }
  }

  private makeRenderer(): THREE.WebGLRenderer | null {
    if (!context) return null;
    try {
      const renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context });
      renderer.toneMapping = THREE.NeutralToneMapping;
      renderer.autoClear = false;
      return renderer;
    } catch {
      return null;
    }
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  get drawable(): boolean {
    return this.renderer !== null && !this.renderer.getContext().isContextLost();
  }

  // Takes on the size of the element; true when that is another one.
  measure(): boolean {
    const width = Math.max(1, this.element.clientWidth);
    const height = Math.max(1, this.element.clientHeight);
    const ratio = Math.min(window.devicePixelRatio || 1, MOST_PIXELS);
    const same = width === this.width && height === this.height && ratio === this.renderer?.getPixelRatio();
    if (same) return false;
    this.width = width;
    this.height = height;
    this.renderer?.setPixelRatio(ratio);
    this.renderer?.setSize(width, height, false);
    return true;
  }

  draw(scene: THREE.Scene, over: THREE.Scene, camera: THREE.Camera): void {
    const { renderer } = this;
    if (!renderer || !this.drawable) return;
    renderer.clear();
    renderer.render(scene, camera);
    renderer.clearDepth();
    renderer.render(over, camera);
  }

  // Has the programs made that draw things, all at once and without waiting: what is hidden still is drawn once then,
  // into a single pixel, so that nothing stutters when it appears.
  async warm(scene: THREE.Scene, over: THREE.Scene, camera: THREE.Camera): Promise<void> {
    const { renderer } = this;
    if (!renderer || !this.drawable) return;
    await Promise.all([scene, over].map((part) => renderer.compileAsync(part, camera)));
    await new Promise((resolve) => setTimeout(resolve, AFTER));
    if (!this.drawable) return;
    const hidden: THREE.Object3D[] = [];
    for (const part of [scene, over]) part.traverse((object) => !object.visible && hidden.push(object));
    for (const object of hidden) object.visible = true;
    renderer.setScissor(0, 0, 1, 1);
    renderer.setScissorTest(true);
    this.draw(scene, over, camera);
    renderer.setScissorTest(false);
    for (const object of hidden) object.visible = false;
    this.redraw();
  }

  // Draws at another size and gives the picture, with what `finish` adds to it.
  picture(
    width: number, height: number, draw: () => void,
    finish: (context: CanvasRenderingContext2D, width: number, height: number) => void,
  ): string {
    const { renderer } = this;
    if (!renderer || !this.drawable) return "";
    const ratio = renderer.getPixelRatio();
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    const sheet = document.createElement("canvas");
    try {
      draw();
      sheet.width = width;
      sheet.height = height;
      const context = sheet.getContext("2d");
      if (!context) return this.canvas.toDataURL("image/png");
      context.drawImage(this.canvas, 0, 0, width, height);
      finish(context, width, height);
      return sheet.toDataURL("image/png");
    } finally {
      renderer.setPixelRatio(ratio);
      renderer.setSize(this.width, this.height, false);
    }
  }
}
