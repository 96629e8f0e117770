import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { CommandEnd } from '../deployments/engine/app-commands.ts';

/** A run that nobody renewed for so long has lost its server. */
const LEASE_SECONDS = 20;
const leaseEnd = sql<string>`now() + make_interval(secs => ${LEASE_SECONDS})`;

export const SERVER_STOPPED = 'The server stopped during this run.';

export type Run = Selectable<Database['appRuns']>;

/** How a run ends. */
export type RunEnd = Exclude<CommandEnd, { status: 'cancelled' }> | { status: 'cancelled'; error?: string };

/** Takes a queued run; nothing where another server was first, or it was cancelled. */
export function claimRun(db: Kysely<Database>, id: string, server: string): Promise<Run | undefined> {
  return db
    .updateTable('appRuns')
    .set({ status: 'running', server, startedAt: sql`now()`, leaseUntil: leaseEnd })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst();
}

/** Says that these runs go on here; the result leaves out those that do not any more, by what the database says. */
export function renewLeases(db: Kysely<Database>, ids: readonly string[], server: string) {
  return db
    .updateTable('appRuns')
    .set({ leaseUntil: leaseEnd })
    .where('id', 'in', ids)
    .where('status', '=', 'running')
    .where('server', '=', server)
    .returning(['id', 'cancelRequested'])
    .execute();
}

/** Records the end of a run that is this server's, and of one that is queued; false where it is neither. */
export async function endRun(
  db: Kysely<Database>,
  { id, server }: { id: string; server: string | null },
  end: RunEnd,
): Promise<boolean> {
  const { status, exitCode = null, error = null } = { exitCode: undefined, error: undefined, ...end };
  const { numUpdatedRows } = await db
    .updateTable('appRuns')
    .set({ status, exitCode, error, finishedAt: sql`now()`, leaseUntil: null })
    .where('id', '=', id)
    .$if(server === null, (run) => run.where('status', '=', 'queued'))
    .$if(server !== null, (run) => run.where('status', '=', 'running').where('server', '=', server))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Fails what was running on servers that are gone, and what `before` says that this one left behind. */
export function failLost(db: Kysely<Database>, leftBehindBy?: string) {
  return db
    .updateTable('appRuns')
    .set({ status: 'failed', error: SERVER_STOPPED, finishedAt: sql`now()`, leaseUntil: null })
    .where('status', '=', 'running')
    .where(({ eb, or }) =>
      or([
        eb('leaseUntil', '<', sql<string>`now()`),
        ...(leftBehindBy === undefined ? [] : [eb('server', '=', leftBehindBy)]),
      ]),
    )
    .returningAll()
    .execute();
}
