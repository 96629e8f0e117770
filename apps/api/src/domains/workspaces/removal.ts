import type { AuditSubject, WorkspaceContents } from '@nephos/contracts';
import { allowSeconds, atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, Refusal } from '../../core/errors.ts';
import { assertMay } from '../../http/workspace-guard.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import type { Queue } from '../../platform/jobs.ts';
import { endSubscription, lockLive } from '../billing/subscriptions.ts';
import { closeAccount } from '../payment-gateway/close-account.ts';
import { findWorkspace } from './read.ts';

export interface RemovalParts {
  /** Empties workspaces that nobody is a member of any more. */
  closing: Queue<{ id: string }>;
}

/** What somebody has to do first, as a sentence; '' where nothing is. */
async function obstacleOf(db: Kysely<Database>, id: string): Promise<string> {
  const { rows } = await sql<{
    funds: boolean;
    renewing: boolean;
    paying: boolean;
    signed: string | null;
  }>`
    select
      exists (
        select from virtual_accounts v join ledger_accounts l on l.id in (v.available_id, v.held_id)
        where v.owner_id = ${id} and l.balance <> 0
      ) as funds,
      exists (
        select from subscriptions where user_id = ${id} and status <> 'cancelled' and charging is not null
      ) as renewing,
      exists (
        select from payment_intents where user_id = ${id} and subscription_id is null and renews is null
          and created_at > now() - interval '1 day'
      ) as paying,
      (select min(domain) from dns_zones where owner_id = ${id}
        and exists (select from dns_zone_keys k where k.zone_id = dns_zones.id)) as signed`.execute(db);
  const [found] = rows;
  if (found?.funds)
    return 'Its virtual accounts hold money, or have payments pending. Send that elsewhere first.';
  if (found?.renewing) return 'Its subscription is being renewed right now. Try again in a minute.';
  if (found?.paying) return 'A payment for its plan was begun. Finish it, or try again tomorrow.';
  if (found?.signed) return `${found.signed} is signed. Turn DNSSEC off first.`;
  return '';
}

/** What goes along with a workspace, and what keeps it. */
export async function readContents(db: Kysely<Database>, id: string): Promise<WorkspaceContents> {
  const { rows } = await sql<Omit<WorkspaceContents, 'obstacle'>>`
    select
      (select count(*) from projects where owner_id = ${id}) as projects,
      (select count(*) from managed_databases where owner_id = ${id}) as databases,
      (select count(*) from stored_files where owner_id = ${id}) as files,
      (select count(*) from dns_zones where owner_id = ${id}) as zones,
      (select count(*) from container_repositories where owner_id = ${id}) as repositories,
      (select count(*) from mobile_apps where owner_id = ${id}) as mobile_apps,
      (select count(*) from installations where owner_id = ${id}) as installations,
      (select count(*) from variable_groups where owner_id = ${id}) as variable_groups,
      (select count(*) from virtual_accounts where owner_id = ${id} and closed_at is null) as virtual_accounts,
      (select count(*) from workspace_members where workspace_id = ${id}) as members`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('a query without a table has a row');
  return { ...counts, obstacle: await obstacleOf(db, id) };
}

/** As `readContents`, of a workspace that has to be a shared one to be deleted. */
export async function countContents({ db }: UserContext, id: string): Promise<WorkspaceContents> {
  const { personal } = await db
    .selectFrom('workspaces')
    .select('personal')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const contents = await readContents(db, id);
  return personal ? { ...contents, obstacle: 'This is a personal workspace.' } : contents;
}

/**
 * Ends a workspace by its name: its members, their tokens and its subscription at once, what it has in the background.
 * Throws 400 for another name, 403, 404, and 409 NOT_EMPTY with what has to be done first.
 */
export function removeWorkspace(
  ctx: UserContext,
  { closing }: RemovalParts,
  { id, name }: { id: string; name: string },
): Promise<{ success: true }> {
  return atomically(ctx.db, async (trx) => {
    await lockAccount(trx, id);
    const workspace = await findWorkspace(trx, ctx.user.id, id);
    assertMay(workspace.role, 'own');
    if (workspace.personal) throw conflict('PERSONAL', "A personal workspace can't be deleted.");
    if (name.normalize('NFC').trim() !== workspace.name) {
      const message = 'Enter the name of the workspace as it is.';
      throw invalid(message, [{ path: 'name', message }]);
    }
    await closeWorkspace({ ...ctx, db: trx, ownerId: id }, { closing });
    return { success: true as const };
  });
}

/**
 * Ends the workspace of `ctx`, a shared one that its transaction holds, whatever it has. Throws 409 NOT_EMPTY with what
 * has to be done first.
 */
export async function closeWorkspace(ctx: UserContext, { closing }: RemovalParts): Promise<void> {
  const { db: trx, ownerId: id } = ctx;
  const obstacle = await obstacleOf(trx, id);
  if (obstacle) throw conflict('NOT_EMPTY', obstacle);
  await closeAccounts(ctx);
  const live = await lockLive(trx, id);
  if (live) await endSubscription(trx, live);
  await trx.updateTable('workspaces').set({ closingSince: sql`now()` }).where('id', '=', id).execute();
  // Nothing is begun for it any more: what would is without an owner now.
  await trx
    .deleteFrom('users')
    .where('service', '=', true)
    .where('id', 'in', (query) =>
      query.selectFrom('workspaceMembers').select('userId').where('workspaceId', '=', id),
    )
    .execute();
  for (const table of ['workspaceMembers', 'workspaceInvitations'] as const) {
    await trx.deleteFrom(table).where('workspaceId', '=', id).execute();
  }
  await closing.enqueue(trx, { id }, { group: id });
}

/** Closes all virtual accounts, each held so that nothing comes in before that. Throws 409 where one is not empty. */
async function closeAccounts(ctx: UserContext): Promise<void> {
  const accounts = await ctx.db
    .selectFrom('virtualAccounts')
    .select('id')
    .where('ownerId', '=', ctx.ownerId)
    .where('closedAt', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of accounts) await closeAccount(ctx, id);
}

/** Deletes one thing of a workspace, in a transaction. */
export type RemoveThing = (of: { db: Kysely<Database>; ownerId: string }, id: string) => Promise<unknown>;

/** How things are deleted that are more than their rows, by their tables, in the order in which they go. */
export type Removals = readonly (readonly [table: RemovedTable, remove: RemoveThing])[];

type RemovedTable = 'projects' | 'managedDatabases' | 'storedFiles' | 'containerRepositories' | 'dnsZones';

const KINDS: Readonly<Record<RemovedTable, AuditSubject>> = {
  projects: 'project',
  managedDatabases: 'database',
  storedFiles: 'file',
  containerRepositories: 'image',
  dnsZones: 'zone',
};

/** Queues workspaces that are being closed and that nothing works on, as after many failures. */
export async function resumeRemovals(
  db: Kysely<Database>,
  closing: Pick<Queue<{ id: string }>, 'enqueue' | 'unfinished'>,
): Promise<void> {
  // The rows first: what is enqueued after that has its job by the time the jobs are read.
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('closingSince', 'is not', null)
    .where('closedAt', 'is', null)
    .execute();
  if (rows.length === 0) return;
  const worked = new Set((await closing.unfinished()).map(({ id }) => id));
  for (const { id } of rows) if (!worked.has(id)) await closing.enqueue(db, { id }, { group: id });
}

/** Seconds for each statement that deletes something: a thing can have many rows. */
const STATEMENT_SECONDS = 120;

/**
 * Deletes what a workspace has that is being closed, each thing whole, and then itself; what a stop cut off is gone on
 * with, and one thing that cannot be deleted keeps none of the others. One that was charged or has accounts of the ledger is kept without a handle: the books refer to it.
 */
export async function emptyWorkspace(
  db: Kysely<Database>,
  { id: ownerId, removals, signal }: { id: string; removals: Removals; signal: AbortSignal },
): Promise<void> {
  const failures: unknown[] = [];
  for (const [table, remove] of removals) {
    const things = await db.selectFrom(table).select('id').where('ownerId', '=', ownerId).execute();
    for (const { id } of things) {
      signal.throwIfAborted();
      try {
        await removeOnce(db, { ownerId, id, table, remove });
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  await atomically(db, async (trx) => {
    await allowSeconds(trx, STATEMENT_SECONDS);
    await lockAccount(trx, ownerId);
    for (const [table] of removals) {
      const left = await trx.selectFrom(table).select('id').where('ownerId', '=', ownerId).executeTakeFirst();
      // A call that was let in before its end has made it; the job is tried again.
      if (left) throw new Error('Something was made in a workspace that is being closed.');
    }
    const { rows } = await sql`
      select from virtual_accounts where owner_id = ${ownerId}
      union all select from subscriptions where user_id = ${ownerId}
      union all select from payment_intents where user_id = ${ownerId}
      union all select from payment_customers where user_id = ${ownerId}
      union all select from payments where user_id = ${ownerId} limit 1`.execute(trx);
    if (rows.length === 0) {
      await trx.deleteFrom('workspaces').where('id', '=', ownerId).where('personal', '=', false).execute();
      return;
    }
    for (const table of [
      ...(['mobileApps', 'installations', 'variableGroups', 'beneficiaries'] as const),
      // With former versions, the trash and unfinished uploads; their bytes are swept.
      ...(['alertChannels', 'alerts', 'buckets'] as const),
    ]) {
      await trx.deleteFrom(table).where('ownerId', '=', ownerId).execute();
    }
    await trx
      .updateTable('workspaces')
      .set({ closedAt: sql`now()`, handle: sql<string>`'closed-' || id` })
      .where('id', '=', ownerId)
      .execute();
  });
}

async function removeOnce(
  db: Kysely<Database>,
  { ownerId, id, table, remove }: { ownerId: string; id: string; table: RemovedTable; remove: RemoveThing },
): Promise<void> {
  try {
    await atomically(db, async (trx) => {
      await allowSeconds(trx, STATEMENT_SECONDS);
      await remove({ db: trx, ownerId }, id);
      await recordOwnWork(trx, {
        ownerId,
        procedure: 'workspaces.empty',
        subject: { kind: KINDS[table], id, name: null },
        after: { cause: 'Its workspace was deleted.' },
      });
    });
  } catch (error) {
    // It went with something else, as a preview with its project.
    if (error instanceof Refusal && error.reason === 'NOT_FOUND') return;
    throw error;
  }
}
