import type { WorkspaceRole } from '@nephos/contracts';
import { roleRefusal } from '@nephos/contracts/constants';
import type { Permission, Row } from '@nephos/contracts/kit';
import { type Database, type Parameter, prepare } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden, notFound } from '../core/errors.ts';
import { FACTOR_DEMANDED_BY, type FactorDemander } from '../platform/factor-demands.ts';
import type { Caller } from './caller.ts';
import { assertFactor } from './factor-guard.ts';

/** Throws 403 with the role that suffices. */
export function assertMay(role: WorkspaceRole, permission: Permission): void {
  const refusal = roleRefusal(role, permission);
  if (refusal !== undefined) throw forbidden('FORBIDDEN', refusal);
}

const membership = prepare((db, parameter: Parameter<{ userId: string; workspaceId: string }>) =>
  db
    .selectFrom('workspaceMembers')
    .innerJoin('users', 'users.id', 'workspaceMembers.userId')
    .innerJoin('workspaces', 'workspaces.id', 'workspaceMembers.workspaceId')
    .select(['workspaceMembers.role', FACTOR_DEMANDED_BY.as('factorDemandedBy')])
    .where('workspaceMembers.userId', '=', parameter('userId'))
    .where('workspaceMembers.workspaceId', '=', parameter('workspaceId'))
    .compile(),
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A member of an input by its name; undefined where there is none. */
export function memberOf(input: unknown, field: string): unknown {
  return typeof input === 'object' && input !== null
    ? Object.entries(input).find(([name]) => name === field)?.[1]
    : undefined;
}

/** What the caller is in the workspace that the input names. Throws 404 where it is none of theirs. */
async function memberThere(
  db: Kysely<Database>,
  { user, workspace, tokenScope, factorDemandedBy }: Caller,
  workspaceId: unknown,
): Promise<{ role: WorkspaceRole; factorDemandedBy: FactorDemander | null }> {
  if (!user || typeof workspaceId !== 'string' || !UUID.test(workspaceId)) throw notFound();
  if (workspace?.id === workspaceId.toLowerCase()) return { role: workspace.role, factorDemandedBy };
  // A token opens the workspace that it was made in, and no other.
  if (tokenScope !== null) throw notFound();
  const [member] = await membership(db, { userId: user.id, workspaceId });
  if (!member) throw notFound();
  return member;
}

/**
 * Throws 404 where the call is about a workspace that the caller is no member of, 403 SECOND_FACTOR_DEMANDED where they
 * lack the second factor that is demanded there, or of all, and 403 where their role there does not hold what the row
 * needs. What is about the caller themself is asked of no workspace, and open to who has to set up a second factor.
 */
export async function assertWorkspace(
  db: Kysely<Database>,
  row: Row,
  caller: Caller,
  rawInput: () => Promise<unknown>,
): Promise<void> {
  const { user, workspace, tokenScope } = caller;
  if (!user) return;
  if (row.access === 'public') {
    // Bytes that anyone may have are members' own, too.
    if (row.kind === 'bytes') assertFactor(caller);
    return;
  }
  if (row.workspaceField !== undefined) {
    const member = await memberThere(db, caller, memberOf(await rawInput(), row.workspaceField));
    assertFactor(member);
    assertMay(member.role, row.needs);
    return;
  }
  if (row.needs === 'account' && (workspace || tokenScope === null)) {
    // What an administrator does is about everybody, and not about the call's workspace.
    if (row.access === 'admin' && caller.factorDemandedBy === 'installation') assertFactor(caller);
    return;
  }
  if (!workspace) throw notFound();
  assertFactor(caller);
  assertMay(workspace.role, row.needs);
}
