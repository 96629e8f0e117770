import type { ManagedDatabase } from '@nephos/contracts';
import { findAmongAll } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { idOfPage } from './page.ts';
import { type Reading, read, readNewest, unlessRefused } from './read.ts';

type DatabaseType = ManagedDatabase['type'];

const TYPE_WORDS: Readonly<Record<DatabaseType, RegExp>> = {
  postgresql: /\b(?:postgres\w*|psql|pgsql|pg_dump|pg_restore)\b/,
  mysql: /\b(?:mysql\w*|mariadb)\b/,
  mongodb: /\bmongo\w*\b/,
};

/** The type that a question names. */
export function typeNamed({ words }: LocalTurn['asked']): DatabaseType | undefined {
  const text = words.join(' ');
  return (['postgresql', 'mysql', 'mongodb'] as const).find((type) => TYPE_WORDS[type].test(text));
}

interface Found extends Record<'named' | 'database', ManagedDatabase | undefined> {
  databases: readonly ManagedDatabase[];
}

/** The database that a question is about: named in it or that of the page, else the only one (of the type named). */
export async function* findDatabase(turn: LocalTurn): Reading<Found> {
  const newest = yield* readNewest(turn, 'databases');
  const databases = newest.rows;
  const get = ({ id }: { id: string }) => unlessRefused(read(turn, ['databases', 'get'], { id }));
  const namesOf = ({ name }: ManagedDatabase) => [name];
  const ofPage = idOfPage(turn, 'database');
  const named =
    (yield* findAmongAll(turn, { newest, kind: 'database', namesOf, get })) ??
    databases.find(({ id }) => id === ofPage) ??
    (ofPage ? yield* get({ id: ofPage }) : undefined);
  const type = typeNamed(turn.asked);
  const fitting = type ? databases.filter((database) => database.type === type) : databases;
  const only = newest.isAll && fitting.length === 1 ? fitting[0] : undefined;
  return { databases, named, database: named ?? only };
}
