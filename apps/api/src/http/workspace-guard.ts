import type { WorkspaceRole } from '@nephos/contracts';
import { roleRefusal } from '@nephos/contracts/constants';
import type { Permission, Row } from '@nephos/contracts/kit';
import { type Database, type Parameter, prepare } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden, notFound } from '../core/errors.ts';
import type { Caller } from './caller.ts';

/** Throws 403 with the role that suffices. */
export function assertMay(role: WorkspaceRole, permission: Permission): void {
  const refusal = roleRefusal(role, permission);
  if (refusal !== undefined) throw forbidden('FORBIDDEN', refusal);
}

const membership = prepare((db, parameter: Parameter<{ userId: string; workspaceId: string }>) =>
  db
    .selectFrom('workspaceMembers')
    .select('role')
    .where('userId', '=', parameter('userId'))
    .where('workspaceId', '=', parameter('workspaceId'))
    .compile(),
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A member of an input by its name; undefined where there is none. */
export function memberOf(input: unknown, field: string): unknown {
  return typeof input === 'object' && input !== null
    ? Object.entries(input).find(([name]) => name === field)?.[1]
    : undefined;
}

/** The caller's role in the workspace that the input names. Throws 404 where it is none of theirs. */
async function roleThere(
  db: Kysely<Database>,
  { user, workspace, tokenScope }: Caller,
  workspaceId: unknown,
): Promise<WorkspaceRole> {
  if (!user || typeof workspaceId !== 'string' || !UUID.test(workspaceId)) throw notFound();
  if (workspace?.id === workspaceId.toLowerCase()) return workspace.role;
  // A token opens the workspace that it was made in, and no other.
  if (tokenScope !== null) throw notFound();
  const [member] = await membership(db, { userId: user.id, workspaceId });
  if (!member) throw notFound();
  return member.role;
}

/**
 * Throws 404 where the call is about a workspace that the caller is no member of, and 403 where their role there does
 * not hold what the row needs. What is about the caller themself is asked of no workspace.
 */
export async function assertWorkspace(
  db: Kysely<Database>,
  row: Row,
  caller: Caller,
  rawInput: () => Promise<unknown>,
): Promise<void> {
  const { user, workspace, tokenScope } = caller;
  if (row.access === 'public' || !user) return;
  if (row.workspaceField !== undefined) {
    assertMay(await roleThere(db, caller, memberOf(await rawInput(), row.workspaceField)), row.needs);
    return;
  }
  if (row.needs === 'account' && (workspace || tokenScope === null)) return;
  if (!workspace) throw notFound();
  assertMay(workspace.role, row.needs);
}
