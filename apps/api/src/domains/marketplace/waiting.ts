import type { ReceiptEntry } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { DATABASE_CHANGED } from '../databases/changes.ts';
import { databasesOf } from '../databases/read.ts';
import { DEPLOYMENT_CHANGED } from '../deployments/channels.ts';
import { deploymentsOf } from '../deployments/service.ts';
import { INSTALLATION_CHANGED } from './changes.ts';

/** What became of a resource that is made in the background. */
type State = 'waiting' | 'ready' | { failed: string };

const GONE: State = { failed: 'it was deleted during installation.' };

async function databaseState({ db, ownerId }: UserContext, id: string): Promise<State> {
  const database = await databasesOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!database) return GONE;
  if (database.status === 'failed') return { failed: database.error };
  return database.status === 'available' ? 'ready' : 'waiting';
}

async function projectState({ db, ownerId }: UserContext, id: string): Promise<State> {
  const newest = await deploymentsOf(db, ownerId)
    .where('projectId', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  switch (newest?.status) {
    case undefined:
      return GONE;
    case 'failed':
    case 'cancelled':
      return { failed: newest.error ?? 'its deployment failed.' };
    // What was stopped ran before.
    case 'running':
    case 'stopped':
      return 'ready';
    default:
      return 'waiting';
  }
}

function stateOf(ctx: UserContext, { kind, id }: ReceiptEntry): Promise<State> | State {
  if (kind === 'database') return databaseState(ctx, id);
  if (kind === 'project') return projectState(ctx, id);
  return 'ready';
}

export interface Wait {
  entry: ReceiptEntry;
  /** Throws when there is nothing left to wait for. */
  assertWanted: () => Promise<void>;
  /** Milliseconds. */
  patience: number;
  signal: AbortSignal;
}

/** Waits until a resource can be used; why it never will be, in a few words, or undefined once it can. */
export async function waitFor(
  ctx: UserContext,
  notifications: Notifications,
  { entry, assertWanted, patience, signal }: Wait,
): Promise<string | undefined> {
  const channels = [DATABASE_CHANGED, DEPLOYMENT_CHANGED, INSTALLATION_CHANGED];
  const concerns = (about: string) => about.includes(entry.id) || about.startsWith(ctx.ownerId);
  const follower = follow(notifications, { channels, concerns, signal });
  const deadline = performance.now() + patience;
  try {
    for (;;) {
      await assertWanted();
      const state = await stateOf(ctx, entry);
      if (state === 'ready') return undefined;
      if (state !== 'waiting') return state.failed;
      const left = deadline - performance.now();
      if (left <= 0) return `it was not ready within ${Math.round(patience / 60_000)} minutes.`;
      if ((await follower.turn(left)) === 'over') throw new Error('The installation was interrupted.');
    }
  } finally {
    follower.end();
  }
}
