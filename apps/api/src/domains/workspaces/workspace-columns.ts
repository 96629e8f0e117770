import { PERMISSIONS, type Role, type WorkspaceRole } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { CallerWorkspace, Owner } from '../../core/context.ts';

/** Roles that can change the code that a workspace runs. */
const BUILDERS = Object.entries(PERMISSIONS).flatMap(([role, may]) => (may.includes('build') ? [role] : []));

const builders = sql`
  select from workspace_members builder join users person on person.id = builder.user_id
  where builder.workspace_id = workspaces.id
    and builder.role in (${sql.join(BUILDERS.map((role) => sql.lit(role)))})`;

/**
 * As whom a workspace's code is run. A service account is a member of the installation: its tokens may be anywhere. A
 * workspace without anybody is trusted with nothing. Of a row of `workspaces`.
 */
export const TRUST = sql<Role>`case
  when exists (${builders} and person.role <> 'admin') then 'member'
  when exists (${builders}) then 'admin'
  else 'member' end`;

/** Of a row of `workspaces`: a personal one that was never named is called as its person is. */
export const WORKSPACE_NAME = sql<string>`coalesce(workspaces.name, (
  select coalesce(nullif(concat_ws(' ', named.first_name, named.last_name), ''), named.email)
  from users named where named.id = workspaces.id), workspaces.handle)`;

/** What makes rows of `workspaces`, joined with `workspace_members`, the caller's workspace by `workspaceOf`. */
export const WORKSPACE_COLUMNS = [
  sql<string | null>`workspaces.id`.as('workspaceId'),
  sql<string>`workspaces.handle`.as('workspaceHandle'),
  WORKSPACE_NAME.as('workspaceName'),
  sql<boolean>`workspaces.personal`.as('workspacePersonal'),
  sql<WorkspaceRole>`workspace_members.role`.as('workspaceRole'),
  TRUST.as('workspaceTrust'),
];

interface Columns {
  workspaceId: string | null;
  workspaceHandle: string;
  workspaceName: string;
  workspacePersonal: boolean;
  workspaceRole: WorkspaceRole;
  workspaceTrust: Role;
}

/** Takes a row's workspace apart from the rest of it; null where the row has none. */
export function workspaceOf<Row extends Columns>({
  workspaceId,
  workspaceHandle,
  workspaceName,
  workspacePersonal,
  workspaceRole,
  workspaceTrust,
  ...rest
}: Row): Omit<Row, keyof Columns> & { workspace: CallerWorkspace | null } {
  const workspace =
    workspaceId === null
      ? null
      : {
          id: workspaceId,
          handle: workspaceHandle,
          name: workspaceName,
          personal: workspacePersonal,
          role: workspaceRole,
          trust: workspaceTrust,
        };
  return { ...rest, workspace };
}

/** A workspace as it is now, for work in its name; undefined for one that is gone or being deleted. */
export function readOwner(db: Kysely<Database>, id: string): Promise<Owner | undefined> {
  return db
    .selectFrom('workspaces')
    .select(['workspaces.id', 'workspaces.handle', TRUST.as('trust')])
    .where('workspaces.id', '=', id)
    .where('workspaces.closingSince', 'is', null)
    .executeTakeFirst();
}

/** As `readOwner`, but undefined also where its person is kept out: for what comes in by their leave alone. */
export async function readEnabledOwner(db: Kysely<Database>, id: string): Promise<Owner | undefined> {
  const disabled = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('disabledAt', 'is not', null)
    .executeTakeFirst();
  return disabled ? undefined : readOwner(db, id);
}

/** Names no workspace. */
const NONE = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id that a call names as the database takes it: what is no id names nothing. */
export function askedFor(id: string | undefined): string | null {
  if (id === undefined) return null;
  return UUID.test(id) ? id : NONE;
}
