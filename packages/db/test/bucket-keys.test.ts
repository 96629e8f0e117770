import { Kysely, PostgresDialect, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createPool } from '../src/client.ts';
import * as buckets from '../src/migrations/0130-buckets.ts';
import * as bucketKeys from '../src/migrations/0131-bucket-keys.ts';
import * as bucketSites from '../src/migrations/0143-bucket-sites.ts';
import * as siteDomains from '../src/migrations/0147-site-domains.ts';
import * as siteRecords from '../src/migrations/0148-site-records.ts';
import { createTestDatabase } from '../src/testing.ts';

const DIGEST = 'a'.repeat(64);

test('files that were there before buckets get keys, those of one place numbered, and the tag of their bytes', async () => {
  const { url, drop } = await createTestDatabase();
  const pool = createPool({ url, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const {
      rows: [ada],
    } = await sql<{ id: string }>`
      insert into users (email, handle, role) values ('ada@example.com', 'ada', 'member') returning id`.execute(
      db,
    );
    await siteRecords.down(db);
    await siteDomains.down(db);
    await bucketSites.down(db);
    await bucketKeys.down(db);
    await buckets.down(db);
    const add = (path: string, name: string) =>
      sql`
      insert into stored_files (owner_id, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
      values (${ada?.id}, ${name}, ${path}, 1, 'text/plain', false, 'files/' || uuid7(), ${DIGEST})`.execute(
        db,
      );
    for (const [path, name] of [
      ['/', 'notes.txt'],
      ['/a/', 'x.tar.gz'],
      ['/a/', 'x.tar.gz'],
      ['/a/', 'x (2).tar.gz'],
      ['/a/', 'x.tar.gz'],
      [`/${'ü'.repeat(510)}/`, 'long'],
    ] as const) {
      await add(path, name);
    }
    await buckets.up(db);
    await add('/', 'notes.txt');
    await bucketKeys.up(db);
    // One that was broken off is begun again.
    await bucketKeys.up(db);
    const { rows } = await sql<{ key: string | null; etag: string }>`
      select key, etag from stored_files order by id`.execute(db);
    expect(rows.map(({ key }) => key)).toEqual([
      ...['notes (2).txt', 'a/x.tar.gz', 'a/x (2).tar.gz', 'a/x (2) (2).tar.gz', 'a/x (3).tar.gz', null],
      // The release before added it in between.
      'notes.txt',
    ]);
    expect(new Set(rows.map(({ etag }) => etag))).toEqual(new Set([`${DIGEST}-1`]));
  } finally {
    await db.destroy();
    await drop();
  }
});
