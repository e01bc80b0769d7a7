import { statSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** How long a file of a folder takes, compared with one of the same size in test/api: programs and pages take long. */
const WEIGHTS: Record<string, number> = { browser: 4, cli: 4, fault: 4, security: 3, nodes: 3, db: 2, unit: 0.1 };

/** Begins with the files that take long, so that short ones are left to fill the end and no worker waits for another one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const expected = new Map(files.map((file) => [file, this.#expect(file.moduleId)]));
    return [...files].sort((one, other) => (expected.get(other) ?? 0) - (expected.get(one) ?? 0));
  }

  #expect(path: string): number {
    const folder = relative(this.ctx.config.root, path).split("/")[1] ?? "";
    return statSync(path).size * (WEIGHTS[folder] ?? 1);
  }
}
