import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { BACKUP_RUNS, BackupRuns, loadSnapshot, NotEmpty, openSnapshot } from '../src/index.ts';
import { createEmptyDatabase, createTestDatabase } from '../src/testing.ts';

/** What COPY has to escape. */
const ODD = '\\N\t\n\\.';

it('takes one moment of a database, and loads it into an empty one alone', async () => {
  const [source, target] = [await createTestDatabase(), await createEmptyDatabase()];
  const [from, to] = [source, target].map(({ url }) => createDb(createPool({ url, max: 2 })));
  if (!from || !to) throw new Error('no databases');
  const runs = async () =>
    (await sql<{ runs: boolean }>`select ${sql.raw(BACKUP_RUNS)} as runs`.execute(from)).rows[0]?.runs;
  try {
    await sql`insert into users (email, handle, first_name, password_hash, role) values ('ada@example.com', 'ada', ${ODD}, 'x', 'admin')`.execute(
      from,
    );
    await sql`select nextval('projects_account_seq')`.execute(from);
    const snapshot = await openSnapshot(source.url);
    await sql`insert into users (email, handle, password_hash, role) values ('later@example.com', 'bob', 'x', 'member')`.execute(
      from,
    );
    await expect(openSnapshot(source.url)).rejects.toThrow(BackupRuns);
    expect(await runs()).toBe(true);
    const kept: { shape: (typeof snapshot.tables)[number]; copied: string }[] = [];
    for (const shape of snapshot.tables) kept.push({ shape, copied: await text(snapshot.rows(shape)) });
    await snapshot.end();
    await snapshot.assertHeld();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nephos backup'
      and datname = current_database()`.execute(from);
    await expect.poll(runs).toBe(false);
    await expect(snapshot.assertHeld()).rejects.toThrow();
    await snapshot.close();

    const load = (url: string) =>
      loadSnapshot(url, {
        ...snapshot,
        queuePlans: '',
        signal: AbortSignal.timeout(60_000),
        tables: (async function* () {
          for (const { shape, copied } of kept) yield { shape, rows: Readable.from([copied]) };
        })(),
      });
    await expect(load(source.url)).rejects.toThrow(NotEmpty);
    await load(target.url);
    // As after a restore that was cut short.
    const { settled } = await load(target.url);
    await settled();
    await expect(load(target.url)).rejects.toThrow(NotEmpty);

    const emails = await sql<{ firstName: string }>`select first_name from users`.execute(to);
    expect(emails.rows).toEqual([{ firstName: ODD }]);
    const shape = sql<{ what: string }>`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as what from pg_constraint
      where connamespace = 'public'::regnamespace
      union all select tgrelid::regclass || ' ' || tgname || tgenabled::text from pg_trigger where not tgisinternal order by 1`;
    expect((await shape.execute(to)).rows).toEqual((await shape.execute(from)).rows);
    const account = sql<{ next: number }>`select nextval('projects_account_seq') as next`;
    expect((await account.execute(to)).rows).toEqual((await account.execute(from)).rows);
  } finally {
    await Promise.all([from.destroy(), to.destroy()]);
    await Promise.all([source.drop(), target.drop()]);
  }
});
