import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SMALL_PARTS =
  /lucide-react\/dist\/esm\/icons\/(check|chevron-up|circle-check|circle-exclamation-point|ellipsis|eye|paperclip|pencil|rotate-cw|send|tag|trash|x)\.m?js$|dashboard\/src\/lib\/(cx|modifier|opener|own-work|server-clock|time|use-delayed-text|when-used)\.ts$/;

export default defineConfig({
  root: here("."),
  resolve: {
    // Radix locks scrolling by injecting a style element, which the page's policy forbids; ours does it with a class.
    alias: { "react-remove-scroll": here("src/lib/remove-scroll.tsx") },
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
