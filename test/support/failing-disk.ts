import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own on this machine, ext4 in a file, whose power can be cut. */
export interface FailingDisk {
  /** Where it is mounted. */
  path: string;
  /** What was not flushed is gone, and the file system is mounted again as after a restart. */
  losePower(): void;
  /** From now on every write fails, as on a disk that has failed. A second call changes nothing. */
  fail(): void;
  close(): void;
}

const IMAGE_BYTES = 64 * 1_048_576;

export function openFailingDisk(bytes = IMAGE_BYTES): FailingDisk {
  const directory = mkdtempSync(join(tmpdir(), "parley-disk-"));
  const image = join(directory, "image");
  const path = join(directory, "mounted");
  let isFailed = false;
  const fail = () => {
    if (!isFailed) must("mount", ["-o", "remount,abort", path]);
    isFailed = true;
  };
  const mount = () => {
    must("mount", ["-o", "loop", image, path]);
    isFailed = false;
  };
  const close = () => {
    run("umount", ["--lazy", path]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    // As root the database runs under another account, which has to come in.
    chmodSync(directory, 0o755);
    mkdirSync(path);
    const file = openSync(image, "wx");
    ftruncateSync(file, bytes);
    closeSync(file);
    must("mkfs.ext4", ["-q", "-F", image]);
    mount();
  } catch (error) {
    close();
    throw error;
  }
  return {
    path,
    fail,
    losePower() {
      fail();
      must("umount", [path]);
      mount();
    },
    close,
  };
}

/** Why there can be none here; null where there can. */
export function whyNoFailingDisk(): string | null {
  try {
    const disk = openFailingDisk();
    try {
      disk.losePower();
      return null;
    } finally {
      disk.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

function run(command: string, args: string[]): { failed: boolean; said: string } {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const { status, error, stderr } = spawnSync(command, args, { env, encoding: "utf8" });
  return { failed: status !== 0, said: error?.message ?? stderr?.trim() ?? "" };
}

function must(command: string, args: string[]): void {
  const { failed, said } = run(command, args);
  if (failed) throw new Error(`${command}: ${said}`);
}
