import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { debianPackage } from "../support/debian.ts";
import { full } from "../support/proof.ts";

const prometheus = full
  ? await debianPackage("prometheus")
  : { home: null, missing: "only `npm run test:nodes` runs this" };
const folder = new URL("../../deploy/monitoring/", import.meta.url).pathname;

describe.skipIf(prometheus.home === null)("the Prometheus alert rules", () => {
  it("fire on recorded metrics when they should, and only then", () => {
    const promtool = join(prometheus.home ?? "", "usr/bin/promtool");
    const output = execFileSync(promtool, ["test", "rules", "alerts.test.yml"], { cwd: folder, encoding: "utf8" });
    expect(output).toContain("SUCCESS");
  });
});
