import { createDb, createPool } from '@nephos/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

test('what is under way ends well, what is new is refused, and streams do not hold the stop up', async () => {
  const project = await ada.rpc.projects.create.mutate({ name: 'Watched' });
  const stream = ada.rpc.deployments.changes.subscribe({ id: project.id }, { onError: () => {} });

  // Whatever a client says that it accepts, it is a stream.
  const plain = await fetch(streamAddress(project.id), { headers: { cookie: ada.cookie, accept: '*/*' } });

  const other = createDb(createPool({ url: world.databaseUrl, max: 1 }));
  const holder = await other.startTransaction().execute();
  await holder.selectFrom('users').select('id').where('id', '=', ada.user.id).forUpdate().execute();
  const change = ada.rest('PATCH /api/auth/user', { body: { firstName: 'Augusta', lastName: 'King' } });
  await expect.poll(() => blockedUpdates(world.databaseUrl)).toBeGreaterThan(0);

  const closed = world.app.close();
  await expect
    .poll(async () => (await ada.rest('GET /api/auth/user').catch(() => ({ status: 'refused' }))).status)
    .toSatisfy((status) => status === 503 || status === 'refused');
  await holder.commit().execute();
  expect(await change).toMatchObject({ status: 200, body: { firstName: 'Augusta' } });
  await closed;
  stream.unsubscribe();
  await expect(plain.text()).rejects.toThrow();

  const stored = await other.selectFrom('users').select('firstName').executeTakeFirst();
  expect(stored?.firstName).toBe('Augusta');
  await other.destroy();
});

function streamAddress(id: string): string {
  return `${world.url}/trpc/deployments.changes?input=${encodeURIComponent(JSON.stringify({ id }))}`;
}

/** Updates that wait for a lock, as a second connection sees them. */
async function blockedUpdates(url: string): Promise<number> {
  const db = createDb(createPool({ url, max: 1 }));
  const { rows } = await sql<{ blocked: number }>`
    select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  await db.destroy();
  return rows[0]?.blocked ?? 0;
}
