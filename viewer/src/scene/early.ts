// The canvas: made, and the graphics card asked for, as soon as the script runs, which on a page of a long run is while
// the browser still reads the data behind it.

function ask(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  try {
    return canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "default" });
  } catch {
    return null;
  }
}

export const canvas = document.createElement("canvas");
export const context = ask(canvas);
