export type BinarySource = "package" | "system";

export interface Binaries {
  readonly source: BinarySource;
  readonly binDir: string;
  /** e.g. "18.4" */
  readonly version: string;
  readonly major: number;
  /** the package's programs, from a copy outside node_modules */
  readonly copied: boolean;
}

export const MAJOR_MIN = 15;
