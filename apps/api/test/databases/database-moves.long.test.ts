import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManagedDatabase } from '@nephos/contracts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import {
  createOwnedDatabase,
  createRole,
} from '../../src/domains/databases/engines/postgres/postgres-databases.ts';
import { scramVerifier } from '../../src/domains/databases/engines/postgres/scram-verifier.ts';
import { sharedPostgres } from '../../src/domains/databases/engines/postgres/shared-postgres.ts';
import { sealPassword } from '../../src/domains/databases/sealed-password.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, ask, makeDatabase } from './database-fixtures.ts';

const SOON = { timeout: 60_000, interval: 50 };
const LONG = 60_000;

let world: World;
let ada: Person;
let bob: Person;
const older = [newCredentials(), newCredentials(), newCredentials()];
let ids: string[] = [];

/** Databases of a console from before each had a server of its own. */
beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { archiverTimes: { lookEvery: 200, firstAfter: 0 } },
  });
  [ada, bob] = [await world.as('Ada'), await world.as('Bob')];
  const { settings, db, secrets } = world.deps;
  const { pool, close } = await sharedPostgres(settings, pino({ level: 'silent' })).open();
  for (const { name, password } of older) {
    await createRole(pool, name, await scramVerifier(password));
    await createOwnedDatabase(pool, name);
  }
  await close();
  ids = [];
  for (const [at, credentials] of older.entries()) {
    const { id } = await db
      .insertInto('managedDatabases')
      .values({
        ...{ ownerId: ada.user.id, name: `old-${at}`, type: 'postgresql', region: 'us-east-1' },
        ...{ storageSize: 10, status: 'available', engineName: credentials.name },
        password: sealPassword(secrets, credentials),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
}, LONG);

afterAll(() => world.close(), LONG);

const get = (id: string): Promise<ManagedDatabase> => ada.rpc.databases.get.query({ id });

async function moved(id: string): Promise<ManagedDatabase> {
  await vi.waitFor(async () => expect((await get(id)).work).toBeNull(), SOON);
  return get(id);
}

test(
  'a database moves to a server of its own under its address, and is backed up from then on',
  async () => {
    const [id = ''] = ids;
    const address = await addressOf(ada, { id });
    await ask(address, 'create table kept as select 7 as n');
    expect(await ada.rpc.databases.moveState.query({ id })).toEqual({ unavailable: '', error: '' });

    const answer = await ada.rest(`POST /api/databases/${id}/move`);
    expect(answer).toMatchObject({ status: 200, body: { id, work: 'moving', status: 'available' } });
    await expect(ada.rpc.databases.rotatePassword.mutate({ id })).rejects.toThrow('being moved');
    expect(await ada.rest(`POST /api/databases/${id}/move`)).toMatchObject({
      status: 409,
      body: { code: 'BUSY' },
    });
    await moved(id);

    await vi.waitFor(async () => expect((await get(id)).activity).not.toBeNull(), SOON);
    expect(await get(id)).toMatchObject({ status: 'available', version: expect.stringMatching(/^18/) });
    expect(await addressOf(ada, { id })).toBe(address);
    expect(await ask(address, 'insert into kept values (8) returning n')).toEqual([[8]]);
    expect(await ask(address, 'select count(*)::int from pg_database')).toEqual([[4]]);
    expect(await ada.rest(`POST /api/databases/${id}/move`)).toMatchObject({
      status: 409,
      body: { code: 'HAS_OWN_SERVER' },
    });
    expect((await ada.rpc.databases.moveState.query({ id })).unavailable).toContain('already');
    const past = () => ada.rpc.databaseBackups.get.query({ id });
    await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);

    const { id: back } = await ada.rpc.databaseBackups.restore.mutate({ id, name: 'back', at: null });
    await vi.waitFor(async () => expect((await get(back)).status).toBe('available'), SOON);
    expect(await ask(await addressOf(ada, { id: back }), 'select n from kept order by n')).toEqual([
      [7],
      [8],
    ]);
  },
  LONG,
);

test(
  'a move that fails, or is cancelled, leaves the database where it was and says why',
  async () => {
    const [, id = ''] = ids;
    const address = await addressOf(ada, { id });
    const inTheWay = join(world.deps.settings.dataDir, 'databases', older[1]?.name ?? '');
    await mkdir(inTheWay);
    await ada.rpc.databases.move.mutate({ id });
    expect(await moved(id)).toMatchObject({ activity: null, status: 'available', error: '' });
    expect((await ada.rest(`GET /api/databases/${id}/move`)).body).toEqual({
      unavailable: '',
      error: expect.stringContaining('is where it was'),
    });
    expect(await ask(address, 'create table kept as select 7 as n')).toEqual([]);
    await rm(inTheWay, { recursive: true });

    await ada.rpc.databases.move.mutate({ id });
    await ada.rpc.databases.cancelWork.mutate({ id });
    expect(await moved(id)).toMatchObject({ activity: null });
    expect(await ada.rpc.databases.moveState.query({ id })).toEqual({ unavailable: '', error: '' });
    expect(await ask(address, 'select n from kept')).toEqual([[7]]);
  },
  LONG,
);

test(
  'what a killed process was moving is moved by the next one',
  async () => {
    const [, , id = ''] = ids;
    await world.deps.db
      .updateTable('managedDatabases')
      .set({ work: 'moving' })
      .where('id', '=', id)
      .execute();
    await world.deps.domains.databases.sweeps?.databaseMoves?.();
    await moved(id);
    await vi.waitFor(async () => expect((await get(id)).activity).not.toBeNull(), SOON);
  },
  LONG,
);

test('a stranger learns nothing, and others cannot be moved', async () => {
  const [, id = ''] = ids;
  for (const route of [`POST /api/databases/${id}/move`, `GET /api/databases/${id}/move`]) {
    expect((await bob.rest(route)).status).toBe(404);
  }
  await expect(bob.rpc.databases.move.mutate({ id })).rejects.toMatchObject({ data: { httpStatus: 404 } });
  const fresh = await makeDatabase(bob);
  await vi.waitFor(
    async () => expect((await bob.rpc.databases.get.query({ id: fresh.id })).activity).not.toBeNull(),
    SOON,
  );
  await expect(bob.rpc.databases.move.mutate({ id: fresh.id })).rejects.toThrow('already');
});
