// A part of the viewer as a module of Node.js, bundled as the page has it.
import { createRequire } from "node:module";
import { join } from "node:path";

export async function loadPart(source, file) {
  const esbuild = createRequire(join(source, "viewer/package.json"))("esbuild");
  const built = await esbuild.build({
    entryPoints: [join(source, "viewer/src", file)], bundle: true, format: "esm", write: false, logLevel: "error",
  });
  return import("data:text/javascript;base64," + Buffer.from(built.outputFiles[0].contents).toString("base64"));
}
