// Builds the page into one file, dist/viewer.html: script and style stand in it, nothing is fetched.
import { defineConfig, type Plugin } from "vite";

// What the command replaces by a run's data (src/io/page.c).
const MARKER = "<!--freebody-data-->";

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
      const html = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/g, "")
        .replace("</head>", () => `<style>${style}</style>\n</head>`)
        .replace(MARKER, () => `<script>${script.replace(/<\/(script)/gi, "<\\/$1")}</script>\n    ${MARKER}`);
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
