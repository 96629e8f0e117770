import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { expect, test } from 'vitest';
import type { SchemaStep } from '../src/migrate.ts';
import { migrations } from '../src/migrations/list.ts';

/** Those before were made when a server was stopped to be upgraded. */
const FIRST = '0130';

/** What the release before, which is still at work, would fail at. */
const BREAKS = [
  [/\bdrop (column|table|view|function|schema|type)\b/, 'drops what it reads'],
  [/\brename\b/, 'renames what it reads'],
  [/\bset not null\b/, 'refuses rows that it writes'],
  [/\balter (column )?\S+ (set data )?type\b/, 'rewrites a table and changes what it reads'],
  [/\badd column (?!.*\b(default|generated)\b).*\bnot null\b/, 'refuses rows that it writes'],
  [
    /\badd (constraint \S+ )?(check|foreign key|unique|primary key)\b(?!.*\bnot valid\b)/,
    'keeps it waiting while rows are looked at',
  ],
] as const;
const INDEX = /\bcreate (?:unique )?index (?!concurrently\b)\S+ on (\S+)/;
const TABLE = /\bcreate table (?:if not exists )?(\S+)/;

/** By migration, what was looked at and holds nevertheless. */
const HOLDS: Record<string, RegExp> = {
  // Triggers fill in what the release before leaves out.
  '0131-bucket-keys': /alter column (bucket_id|etag) set not null/,
  // A workspace has a hundred buckets at most, and a project twenty domains: that takes no time.
  '0142-bucket-lifecycles': / on buckets /,
  '0143-bucket-sites': / on custom_domains |custom_domains_place check/,
  // A few backups a day.
  '0163-running-trials': / on installation_backups /,
};

/** Why the release before could not go on serving during and after this step; empty where it can. */
async function breaks({ up }: SchemaStep): Promise<string[]> {
  const found: string[] = [];
  const made = new Set<string>();
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (of) => new PostgresIntrospector(of),
    },
    log({ query }) {
      const text = query.sql.replaceAll(/\s+/g, ' ').toLowerCase();
      const table = TABLE.exec(text)?.[1];
      if (table) made.add(table);
      const indexed = INDEX.exec(text)?.[1];
      if (indexed && !made.has(indexed)) found.push(`keeps it waiting while an index is made: ${text}`);
      // Several columns of one statement are looked at one by one.
      for (const part of text.split(/[,;] ?(?=add |alter |drop |rename )/)) {
        for (const [pattern, reason] of BREAKS) if (pattern.test(part)) found.push(`${reason}: ${part}`);
      }
    },
  });
  await up(db);
  return found;
}

const recent = Object.entries(migrations).filter(([name]) => name >= FIRST);

test('the release before can go on serving while a new one brings the schema up to date', async () => {
  for (const [name, step] of recent) {
    const found = await breaks(step);
    expect(
      found.filter((one) => !HOLDS[name]?.test(one)),
      name,
    ).toEqual([]);
  }
});

test.each([
  ['alter table users drop column email', 'drops'],
  ['drop table users', 'drops'],
  ['alter table users rename column email to mail', 'renames'],
  ['alter table users alter column email set not null', 'refuses'],
  ['alter table users alter email type varchar(9)', 'rewrites'],
  ['alter table users add column a int, add column b int not null', 'refuses'],
  ['create unique index of_users on users (email)', 'keeps it waiting'],
  ['alter table users add constraint a check (b > 0)', 'keeps it waiting'],
])('%s is seen', async (text, reason) => {
  const found = await breaks({ up: async (db) => void (await sql.raw(text).execute(db)) });
  expect(found).toEqual([expect.stringContaining(reason)]);
});

test.each([
  'alter table users add column a int',
  `alter table users add column a text not null default ''`,
  'create table a (b int not null)',
  'alter table users drop constraint a, add constraint a check (b > 0) not valid',
  'create index concurrently of_users on users (email)',
])('%s may be', async (text) => {
  expect(await breaks({ up: async (db) => void (await sql.raw(text).execute(db)) })).toEqual([]);
});
