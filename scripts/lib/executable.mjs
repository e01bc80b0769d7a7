import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first of these programs that the path has, looking in each folder for all of them. */
export function findOnPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}
