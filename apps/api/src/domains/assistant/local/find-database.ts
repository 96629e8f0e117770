import type { ManagedDatabase } from '@nephos/contracts';
import { findNamed } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { PAGE_ROWS, type Reading, read } from './read.ts';

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

/** The database that a question is about: named in it or that of the page, else the only one (of the type named). */
export async function* findDatabase(
  turn: LocalTurn,
): Reading<Record<'named' | 'database', ManagedDatabase | undefined> & { databases: ManagedDatabase[] }> {
  const databases = yield* read(turn, ['databases', 'list'], { limit: PAGE_ROWS });
  const type = typeNamed(turn.asked);
  const fitting = type ? databases.filter((database) => database.type === type) : databases;
  const named =
    findNamed(turn.asked, databases, ({ name }) => [name]) ??
    databases.find(({ id }) => id === turn.resourceId);
  return { databases, named, database: named ?? (fitting.length === 1 ? fitting[0] : undefined) };
}
