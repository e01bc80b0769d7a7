import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../../widget/dist", import.meta.url));
const bytes = (path: string): number => readFileSync(join(dist, `${path}.gz`)).length;

const { ensureBuild } = (await import(new URL("../../../scripts/lib/setup.mjs", import.meta.url).href)) as {
  ensureBuild: () => Promise<void>;
};
beforeAll(ensureBuild, 300_000);

it("the loader has at most 5 kB, compressed", () => {
  expect(bytes("widget.js")).toBeLessThanOrEqual(5_000);
});

it("everything that the frame can load has at most 45 kB, compressed, in all languages together", () => {
  const assets = readdirSync(join(dist, "assets")).filter((name) => /\.(?:js|css)$/.test(name));
  const all = ["frame.html", ...assets.map((name) => `assets/${name}`)];
  expect(all.reduce((sum, path) => sum + bytes(path), 0)).toBeLessThanOrEqual(45_000);
});

it("the loader knows the version of the frame, and neither has a style or script in its markup", () => {
  const { frame_version } = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as { frame_version: string };
  expect(readFileSync(join(dist, "widget.js"), "utf8")).toContain(frame_version);
  expect(readFileSync(join(dist, "frame.html"), "utf8")).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
});
