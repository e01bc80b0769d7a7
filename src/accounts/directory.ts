import { type Queryable, sql } from "../db/database.ts";
import type { WorkspaceRole } from "./sessions.ts";
import type { User } from "./users.ts";

interface Person extends User {
  workspaces: Pick<WorkspaceRole, "id" | "uuid" | "name" | "role">[];
  created_at: string;
  last_seen_at: string | null;
}

const listStatement = sql(
  "person_list",
  `select u.id, u.uuid, u.name, u.email, u.created_at, u.last_seen_at,
          coalesce((select json_agg(json_build_object('id', w.id, 'uuid', w.uuid, 'name', w.name, 'role', m.role) order by w.id)
                    from memberships m join workspaces w on w.id = m.workspace_id where m.user_id = u.id), '[]') as workspaces
   from users u order by u.id`,
);

/** Everybody, across workspaces: for the operator of the installation only. */
export const listPeople = (db: Queryable): Promise<Person[]> => db.query<Person>(listStatement);
