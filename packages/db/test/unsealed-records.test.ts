import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import * as unsealedRecords from '../src/migrations/0162-unsealed-records.ts';
import { createTestDatabase } from '../src/testing.ts';

test('records that wait are kept where the migration is undone', async () => {
  const { url, drop } = await createTestDatabase();
  const pool = createPool({ url });
  const db = createDb(pool);
  try {
    const chain = '00000000-0000-0000-0000-000000000000';
    const told = {
      actorEmail: '',
      via: 'system' as const,
      procedure: 'billing.renew',
      result: 'done' as const,
    };
    const { id, at } = await db
      .insertInto('unsealedRecords')
      .values({
        chain,
        record: {
          ...{ actor_email: '', via: 'system', procedure: 'billing.renew', result: 'done' },
          ...{ subject_kind: 'subscription', after: { price: 900 } },
        },
      })
      .returning(['id', 'at'])
      .executeTakeFirstOrThrow();
    await unsealedRecords.down(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }));
    expect(await db.selectFrom('auditRecords').selectAll().execute()).toMatchObject([
      {
        id,
        at,
        chain,
        ...told,
        subjectKind: 'subscription',
        before: null,
        after: { price: 900 },
        position: null,
      },
    ]);
  } finally {
    await db.destroy();
    await drop();
  }
});
