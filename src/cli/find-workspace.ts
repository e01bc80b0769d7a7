import { findWorkspace, type Workspace } from "../auth/workspaces.ts";
import { notFound } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import type { Store } from "../store.ts";

/** The workspace that an argument names, by its id or uuid. */
export async function findGivenWorkspace({ db }: Pick<Store, "db">, text: string): Promise<Workspace> {
  const ref = parseRef(text);
  const found = ref && (await findWorkspace(db, ref));
  if (!found) throw notFound(`workspace ${text}`);
  return found;
}
