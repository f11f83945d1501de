// Builds the page into one file, dist/viewer.html: script and style stand in it, nothing is fetched. Its
// Content-Security-Policy has the hashes of both, so that a browser runs no other script, and not this one when it is
// damaged.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

// What the command replaces by a run's data (src/picture/page/page.c).
const MARKER = "<!--freebody-data-->";

const allow = (policy: string, kind: string, text: string): string => {
  const any = `${kind}-src 'unsafe-inline'`;
  if (!policy.includes(any)) throw new Error(`the page's policy must say ${any}`);
  return policy.replace(any, `${kind}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`);
};

// Puts the script and the style into the page. A closing tag inside the script's own text would end it early.
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (!page || page.type !== "asset") throw new Error("there is no index.html to fill");
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += String(part.source);
        else throw new Error(`${name} cannot stand in the page`);
        delete bundle[name];
      }
      script = script.replace(/<\/(script)/gi, "<\\/$1");
      const bare = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/g, "")
        .replace(/<!--(?!freebody-data)[^]*?-->\s*/g, "");
      const html = allow(allow(bare, "script", script), "style", style)
        .replace("</head>", () => `<style id="viewer-style">${style}</style>\n</head>`)
        .replace(MARKER, () => `<script>${script}</script>\n    ${MARKER}`);
      if (html.split(MARKER).length !== 2) throw new Error(`the page must hold ${MARKER} once`);
      page.source = html;
      page.fileName = "viewer.html";
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4000,
    rollupOptions: { output: { format: "iife", inlineDynamicImports: true } },
  },
});
