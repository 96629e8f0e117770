import { parseReference, type Reference, referencesIn } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import { databasesOf } from '../databases/read.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Names that a refusal lists. */
const MOST_NAMES = 5;

type Owned = Pick<UserContext, 'db' | 'ownerId'>;

/** The database that a reference names, by its name, or else its id. */
export async function findReferredDatabase({ db, ownerId }: Owned, { name }: Pick<Reference, 'name'>) {
  const rows = await databasesOf(db, ownerId)
    .where(({ eb, or }) => or([eb('name', '=', name), ...(UUID.test(name) ? [eb('id', '=', name)] : [])]))
    .execute();
  return rows.find((row) => row.name === name) ?? rows[0];
}

/** The project that a reference names: by its slug, or else by a name that no other project of theirs has. */
export async function findReferredProject({ db, ownerId }: Owned, { name }: Pick<Reference, 'name'>) {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('ownerId', '=', ownerId)
    .where(({ eb, or }) => or([eb('name', '=', name), eb('slug', '=', name)]))
    .limit(3)
    .execute();
  return rows.find(({ slug }) => slug === name) ?? (rows.length === 1 ? rows[0] : undefined);
}

/** Refuses values that refer to what their owner does not have, each at its field. */
export async function assertReferable(
  owned: Owned,
  values: readonly { value: string; path: string }[],
): Promise<void> {
  const faults = new Map<string, Promise<string | undefined>>();
  for (const path of new Set(values.flatMap(({ value }) => referencesIn(value)))) {
    faults.set(path, faultOf(owned, parseReference(path)));
  }
  const fields: { path: string; message: string }[] = [];
  for (const { value, path } of values) {
    for (const reference of referencesIn(value)) {
      const message = await faults.get(reference);
      if (message) fields.push({ path, message });
    }
  }
  const [first] = fields;
  if (first) throw invalid(first.message, fields);
}

/** Why a reference leads nowhere, with what there is; undefined where it does. */
async function faultOf(owned: Owned, reference: Reference | undefined): Promise<string | undefined> {
  if (!reference) return undefined;
  const { kind, name } = reference;
  if (kind === 'databases') {
    if (await findReferredDatabase(owned, reference)) return undefined;
    const databases = await databasesOf(owned.db, owned.ownerId)
      .orderBy('name')
      .limit(MOST_NAMES + 1)
      .execute();
    return `You have no database named ${name}. ${choiceOf(
      'databases',
      databases.map((row) => row.name),
    )}`;
  }
  if (await findReferredProject(owned, reference)) return undefined;
  const slugs = await slugsOf(owned.db, owned.ownerId, name);
  if (slugs.length > 1) {
    return `Several projects are named ${name}. Use one of their slugs: ${listed(slugs)}.`;
  }
  return `You have no project named ${name}. ${choiceOf('projects', await slugsOf(owned.db, owned.ownerId))}`;
}

async function slugsOf(db: Kysely<Database>, ownerId: string, name?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('slug')
    .where('ownerId', '=', ownerId)
    .$if(name !== undefined, (named) => named.where('name', '=', name ?? ''))
    .orderBy('id', 'desc')
    .limit(MOST_NAMES + 1)
    .execute();
  return rows.map(({ slug }) => slug);
}

function choiceOf(what: string, names: readonly string[]): string {
  return names.length === 0 ? `You have no ${what} yet.` : `Your ${what}: ${listed(names)}.`;
}

function listed(names: readonly string[]): string {
  return names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')} and others` : names.join(', ');
}
