import {
  MAX_ENVIRONMENT_BYTES,
  MAX_VARIABLE_BYTES,
  parseReference,
  type Reference,
  referencesIn,
  withReferences,
} from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { follow } from '../../platform/follow.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { addressHere, type DatabaseAddress } from '../databases/address.ts';
import { DATABASE_CHANGED } from '../databases/changes.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { type DatabaseRow, findAvailable } from '../databases/read.ts';
import { findReferredDatabase, findReferredProject } from '../projects/references.ts';
import { machineOfApps } from './app-ports.ts';
import { StepFailure } from './engine/step-failure.ts';
import type { KeptVariable } from './kept-variables.ts';

/** Milliseconds that a deployment waits for a database that is being created. */
const PATIENCE_MS = 5 * 60_000;

export interface ResolveParts {
  db: Kysely<Database>;
  settings: Settings;
  appAddress: AppAddress;
  notifications: Notifications;
  databases: Pick<DatabasesParts, 'servers' | 'work' | 'secrets' | 'log'>;
}

export interface Resolving {
  ownerId: string;
  projectId: string;
  signal: AbortSignal;
  /** Tells the person what is waited for. */
  say: (text: string) => void;
  patience?: number;
}

/** Why a reference cannot be resolved; reads on after 'but'. */
class Unresolvable extends Error {
  override readonly name = 'Unresolvable';
}

/**
 * What the variables that refer to something are now, by name; waits for databases that are being created. Throws
 * `StepFailure` where one leads nowhere, and the signal's reason.
 */
export async function resolveVariables(
  parts: ResolveParts,
  kept: readonly KeptVariable[],
  resolving: Resolving,
): Promise<Record<string, string>> {
  const found = new Map<string, string>();
  const addresses = new Map<string, DatabaseAddress>();
  const resolved: Record<string, string> = {};
  for (const { name, text } of kept) {
    const paths = referencesIn(text);
    for (const path of paths) {
      if (found.has(path)) continue;
      try {
        found.set(
          path,
          await resolvedReference(parts, resolving, { reference: parseReference(path), addresses }),
        );
      } catch (error) {
        if (!(error instanceof Unresolvable)) throw error;
        throw failure(`${name} refers to ${path}, but ${error.message}`);
      }
    }
    if (paths.length > 0) resolved[name] = withReferences(text, found);
  }
  return resolved;
}

const failure = (why: string) => new StepFailure('variables', `Reading variables failed: ${why}`);

interface Looking {
  reference: Reference | undefined;
  /** Of databases that were asked for before. */
  addresses: Map<string, DatabaseAddress>;
}

async function resolvedReference(
  parts: ResolveParts,
  resolving: Resolving,
  { reference, addresses }: Looking,
): Promise<string> {
  if (!reference) throw new Unresolvable('that is no reference.');
  const { kind, name, field } = reference;
  if (kind === 'projects') {
    const project = await findReferredProject({ db: parts.db, ownerId: resolving.ownerId }, reference);
    if (!project) throw new Unresolvable(`there is no project named ${name}.`);
    return parts.appAddress(project.slug);
  }
  const address = addresses.get(name) ?? (await addressOf(parts, resolving, name));
  addresses.set(name, address);
  // The fields of a reference to a database are those of its address.
  return address[field as keyof DatabaseAddress];
}

async function addressOf(parts: ResolveParts, resolving: Resolving, name: string): Promise<DatabaseAddress> {
  const id = await availableDatabase(parts, resolving, name);
  try {
    const database = await findAvailable(parts.db, resolving.ownerId, id);
    return await addressHere(parts.databases, database, machineOfApps(parts.settings));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Unresolvable(`its address is not known: ${error.message}`);
  }
}

/** Waits until the database can be used. */
async function availableDatabase(
  { db, notifications }: ResolveParts,
  { ownerId, projectId, signal, say, patience = PATIENCE_MS }: Resolving,
  name: string,
): Promise<string> {
  const concerns = (about: string) => about.startsWith(ownerId);
  const follower = follow(notifications, { channels: [DATABASE_CHANGED], concerns, signal });
  const deadline = performance.now() + patience;
  let waiting = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const named = await findReferredDatabase({ db, ownerId }, { name });
      if (!named) throw new Unresolvable(`there is no database named ${name}.`);
      const database = await databaseFor({ db, ownerId }, projectId, named);
      if (database.status === 'available') return database.id;
      if (database.status === 'failed') {
        throw new Unresolvable('this database could not be created. Retry it, then deploy again.');
      }
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new Unresolvable(`this database was not ready within ${Math.ceil(patience / 60_000)} minutes.`);
      }
      if (!waiting) say(`Waiting for the database ${name} to be created.`);
      waiting = true;
      await follower.turn(left);
    }
  } finally {
    follower.end();
  }
}

/** The copy that a preview has of a database, where its project's previews get one; else the database itself. */
async function databaseFor<D extends Pick<DatabaseRow, 'id' | 'status'>>(
  { db, ownerId }: { db: Kysely<Database>; ownerId: string },
  projectId: string,
  database: D,
): Promise<Pick<DatabaseRow, 'id' | 'status'>> {
  const preview = await db
    .selectFrom('previews')
    .leftJoin('previewSources as source', (join) =>
      join.onRef('source.projectId', '=', 'parentId').on('source.databaseId', '=', database.id),
    )
    .leftJoin('previewCopies as copy', (join) =>
      join.onRef('copy.projectId', '=', 'previews.projectId').on('copy.sourceId', '=', database.id),
    )
    .leftJoin('managedDatabases', 'managedDatabases.id', 'copy.databaseId')
    .select(['source.databaseId as wanted', 'managedDatabases.id', 'managedDatabases.status'])
    .where('previews.ownerId', '=', ownerId)
    .where('previews.projectId', '=', projectId)
    .executeTakeFirst();
  if (preview?.id && preview.status) return { id: preview.id, status: preview.status };
  if (!preview?.wanted) return database;
  throw new Unresolvable('this preview has no copy of that database. Push to its branch to have one made.');
}

/** Refuses more than the system gives to a process: it would say no more than that the list is too long. */
export function assertFits(values: Readonly<Record<string, string>>): void {
  let total = 0;
  for (const [name, value] of Object.entries(values)) {
    const bytes = Buffer.byteLength(value) + name.length + 2;
    if (bytes > MAX_VARIABLE_BYTES) {
      throw failure(`the value of ${name} is longer than ${MAX_VARIABLE_BYTES / 1024} KiB.`);
    }
    total += bytes;
  }
  if (total > MAX_ENVIRONMENT_BYTES) {
    throw failure(
      `all variables together take ${(total / 1024 / 1024).toFixed(1)} MiB, and a process can be given up to ${MAX_ENVIRONMENT_BYTES / 1024 / 1024} MiB.`,
    );
  }
}
