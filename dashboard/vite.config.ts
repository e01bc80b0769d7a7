import { fileURLToPath } from "node:url";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SMALL_PARTS =
  /lucide-react\/dist\/esm\/icons\/(check|chevron-up|circle-check|circle-exclamation-point|ellipsis|eye|paperclip|pencil|rotate-cw|send|tag|trash|x)\.m?js$|dashboard\/src\/lib\/(cx|language|modifier|opener|own-work|server-clock|texts|time|use-delayed-text|when-used)\.ts$/;

/** The page fetches the application together with the entry that begins it, and its styles before the first paint. */
const preloadStart = (): Plugin => ({
  name: "preload-start",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle }): HtmlTagDescriptor[] => {
      const chunks = Object.values(bundle ?? {}).flatMap((file) => (file.type === "chunk" ? [file] : []));
      const start = chunks.find((chunk) => chunk.facadeModuleId?.endsWith("/src/start.tsx"));
      const needed = chunks.filter((chunk) => chunk === start || start?.imports.includes(chunk.fileName));
      const styles = needed.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
      const scripts = needed.map((chunk) => chunk.fileName);
      return [
        ...tags(html, scripts, { rel: "modulepreload", crossorigin: true }),
        ...tags(html, styles, { rel: "stylesheet", crossorigin: true }),
      ];
    },
  },
});

const tags = (html: string, files: readonly string[], attrs: Record<string, string | boolean>): HtmlTagDescriptor[] =>
  [...new Set(files)]
    .filter((file) => !html.includes(`/${file}"`))
    .map((file) => ({ tag: "link", attrs: { ...attrs, href: `/${file}` }, injectTo: "head" }));

export default defineConfig({
  root: here("."),
  plugins: [preloadStart()],
  resolve: {
    // Radix locks scrolling by injecting a style element, which the page's policy forbids; ours does it with a class.
    alias: {
      "react-remove-scroll": here("src/lib/remove-scroll.tsx"),
      "@parley/client": here("../client/src/index.ts"),
    },
  },
  build: {
    // Where `light-dark()` is known: the two themes are one set of tokens.
    target: ["chrome123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The styles of the inbox are shared with parts of it that are loaded later: apart, each was a file of its own.
            { name: "inbox-styles", test: /pages\/inbox\/[\w/-]+\.module\.css$/ },
            // What the inbox shares with most pages and is tiny: as files of their own they compress badly.
            { name: "small-parts", test: SMALL_PARTS },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8080",
      "/dashboard-api": "http://127.0.0.1:8080",
      "/docs": "http://127.0.0.1:8080",
    },
  },
});
