import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type DatabaseChange, MAX_SLEEP_AFTER, type ManagedDatabase } from '@nephos/contracts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tellProgress, WorkCancelled } from '../../src/domains/databases/long-work.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, ask, concluded, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { connectPostgres } from './postgres-session.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;
let logged = '';

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  world = await createWorld({ running: true, log: pino({ level: 'trace' }, sink) });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterEach(async () => {
  for (const person of [ada, bob]) {
    const all = await person.rpc.databases.list.query();
    await Promise.all(all.map(({ id }) => person.rpc.databases.remove.mutate({ id })));
  }
});
afterAll(() => world.close());

describe('creating a database', () => {
  test('takes a name alone, and becomes available within seconds, at both doors', async () => {
    const answer = await ada.rest('POST /api/databases', { body: { name: ' main ' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'main',
      type: 'postgresql',
      region: 'us-east-1',
      storageSize: 10,
      status: 'creating',
      error: '',
      passwordChanged: false,
      activity: null,
      version: '',
      sleepAfter: 5,
      sizeClass: 'small',
      storageState: 'ok',
      freeingUntil: null,
      work: null,
      workPercent: null,
      workError: '',
      createdAt: expect.stringMatching(/Z$/),
    });
    const { id } = answer.body as ManagedDatabase;
    const made = await concluded(ada, id);
    const version = expect.stringMatching(/^18\.\d+$/);
    expect(made).toEqual({ ...(answer.body as object), status: 'available', activity: 'awake', version });
    expect(await ada.rpc.databases.list.query()).toEqual([made]);
    expect((await ada.rest('GET /api/databases')).body).toEqual([made]);
    expect((await ada.rest(`GET /api/databases/${id}`)).body).toEqual(made);
    expect(await ask(await addressOf(ada, made), 'select 1')).toEqual([[1]]);

    const second = await makeDatabase(ada, { name: 'second', region: 'eu-west-1', storageSize: 1000 });
    expect(second).toMatchObject({ region: 'eu-west-1', storageSize: 1000 });
    expect((await ada.rpc.databases.list.query()).map(({ name }) => name)).toEqual(['second', 'main']);
    const page = await ada.rest(`GET /api/databases?limit=1&cursor=${second.id}`);
    expect(page).toMatchObject({ status: 200, body: [made] });
  });

  const refused: (readonly [Record<string, unknown>, string, string])[] = [
    ...[9, 1001, 10.5, '10', null, -10, 0].map(
      (storageSize) =>
        [{ storageSize }, 'storageSize', 'Storage must be a whole number of GB from 10 to 1000.'] as const,
    ),
    [{ name: '' }, 'name', 'Name is required.'],
    [{ name: '   ' }, 'name', 'Name is required.'],
    [{ name: undefined }, 'name', 'Name is required.'],
    [{ name: 5 }, 'name', 'Name must be text.'],
    [{ name: 'x'.repeat(64) }, 'name', 'Name can have at most 63 characters.'],
    [{ name: 'a\u001bb' }, 'name', "Name contains characters that can't be displayed."],
    [{ name: 'a\nb' }, 'name', "Name contains characters that can't be displayed."],
    [{ type: 'sqlite' }, 'type', 'Type must be one of postgresql, mysql, mongodb, redis.'],
    [{ region: 'mars' }, 'region', 'Region must be one of us-east-1, us-west-2, eu-west-1.'],
  ];

  test.each(refused)('refuses %j', async (input, path, message) => {
    const body = { name: 'main', ...input };
    const fields = [{ path, message }];
    const rest = await ada.rest('POST /api/databases', { body });
    expect(rest).toMatchObject({ status: 400, body: { code: 'VALIDATION', fields } });
    const rpc = await ada.rest('POST /trpc/databases.create', { body });
    expect(rpc).toMatchObject({ status: 400, body: { error: { data: { reason: 'VALIDATION', fields } } } });
    expect(await ada.rpc.databases.list.query()).toEqual([]);
  });

  test('keeps any name away from the server', async () => {
    const names = ['"; drop database postgres; --', "'); drop role postgres; --", '数据库 🐘 $(id)'];
    names.push('..', 'x'.repeat(63));
    const made = await Promise.all(names.map((name) => makeDatabase(ada, { name })));
    expect(made.map(({ name }) => name)).toEqual(names);
    const [first] = made;
    const address = await addressOf(ada, first ?? { id: '' });
    expect(new URL(address).username).toMatch(/^db_[0-9a-f]{24}$/);
    const [seen] = await ask(
      address,
      `select string_agg(datname || ' ' || rolname, ' ') from pg_database, pg_roles`,
    );
    for (const name of [...names.slice(0, 3), 'Ada', 'ada@example.com'])
      expect(seen?.[0]).not.toContain(name);
  });

  test('is refused twice under one name, not to another account, and happens once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ada.rest('POST /api/databases', { body: { name: 'main' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'EXISTS',
      message: 'You already have a database named main.',
    });
    await expect(ada.rpc.databases.create.mutate({ name: 'main' })).rejects.toMatchObject({
      data: { httpStatus: 409, reason: 'EXISTS' },
    });
    await makeDatabase(bob);
  });

  test('ends at the limit of an account, also for many at once', async () => {
    const { id } = await makeDatabase(ada);
    await sql`
      insert into managed_databases (owner_id, name, type, region, storage_size, status, engine_name, password)
      select owner_id, name || n, type, region, storage_size, status, engine_name || n, password
      from managed_databases, generate_series(1, 17) n where id = ${id}`.execute(world.deps.db);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => ada.rest('POST /api/databases', { body: { name: `more ${n}` } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'PLAN_LIMIT_REACHED',
      message: 'You have reached the limit of 20 databases. Delete one first.',
    });
  });
});

describe('an available database', () => {
  test('tells its address to its owner alone, and the log who asked', async () => {
    const database = await makeDatabase(ada);
    const { id } = database;
    const rest = await ada.rest(`GET /api/databases/${id}/connection`);
    const address = await addressOf(ada, database);
    expect(rest).toMatchObject({ status: 200, body: { connectionString: address } });
    const { protocol, hostname, username, password, pathname } = new URL(address);
    expect([protocol, hostname, pathname]).toEqual(['postgresql:', '127.0.0.1', `/${username}`]);
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    const entries = logged.split('\n').filter((line) => line.includes('a connection string was read'));
    expect(entries.length).toBeGreaterThanOrEqual(2);
    expect(entries.at(-1)).toContain(`"userId":"${ada.user.id}","databaseId":"${id}"`);
    for (const list of ['GET /api/databases', `GET /api/databases/${id}`]) {
      expect((await ada.rest(list)).text).not.toContain(username);
    }
  });

  test('keeps its password sealed in our own data, and out of every log', async () => {
    const database = await makeDatabase(ada);
    const before = new URL(await addressOf(ada, database)).password;
    const after = new URL(
      (await ada.rpc.databases.rotatePassword.mutate({ id: database.id })).connectionString,
    );
    const { rows } = await sql<{ row: string; bytes: string }>`
      select managed_databases::text as row, encode(password, 'escape') as bytes
      from managed_databases`.execute(world.deps.db);
    const { username } = new URL(await addressOf(ada, database));
    const clusterLog = await readFile(
      join(world.deps.settings.dataDir, 'databases', username, 'log'),
      'utf8',
    );
    const stored = JSON.stringify(rows) + JSON.stringify(await jobs());
    for (const password of [before, after.password]) {
      for (const text of [stored, logged, clusterLog]) expect(text).not.toContain(password);
      expect(stored).not.toContain(Buffer.from(password).toString('hex'));
    }
  });

  test('sleeps after as many minutes as its owner says, or never', async () => {
    const { id } = await makeDatabase(ada);
    const route = `PATCH /api/databases/${id}`;
    for (const sleepAfter of [1, MAX_SLEEP_AFTER, null]) {
      const answer = await ada.rest(route, { body: { sleepAfter } });
      expect(answer).toMatchObject({ status: 200, body: { id, sleepAfter } });
      expect(await ada.rpc.databases.get.query({ id })).toMatchObject({ sleepAfter });
    }
    const message = `Minutes must be a whole number from 1 to ${MAX_SLEEP_AFTER}, or null to never sleep.`;
    for (const sleepAfter of [0, MAX_SLEEP_AFTER + 1, 1.5, '5']) {
      const refused = await ada.rest(route, { body: { sleepAfter } });
      const fields = [{ path: 'sleepAfter', message }];
      expect(refused, String(sleepAfter)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION', fields },
      });
    }
    const body = { sleepAfter: 7 };
    expect(await world.anyone.rest(route, { body })).toMatchObject({ status: 401 });
    expect(await bob.rest(route, { body })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    await expect(bob.rpc.databases.update.mutate({ id, ...body })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    expect(await ada.rest(`PATCH /api/databases/${ABSENT}`, { body })).toMatchObject({ status: 404 });
    const member = { workspaceId: ada.user.id, userId: bob.user.id, role: 'viewer' } as const;
    await world.deps.db.insertInto('workspaceMembers').values(member).execute();
    const headers = { 'x-workspace': ada.user.id };
    expect(await bob.rest(route, { body, headers })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    await world.deps.db
      .deleteFrom('workspaceMembers')
      .where('userId', '=', bob.user.id)
      .where('workspaceId', '=', ada.user.id)
      .execute();
    expect(await ada.rpc.databases.get.query({ id })).toMatchObject({ sleepAfter: null });
    expect(await ada.rpc.databases.update.mutate({ id, ...body })).toMatchObject(body);
  });

  test('is made larger and smaller, but not smaller than what it holds', async () => {
    const { id } = await makeDatabase(ada);
    const route = `PATCH /api/databases/${id}` as const;
    const enlarged = { storageSize: 40, sizeClass: 'medium' } as const;
    expect(await ada.rest(route, { body: enlarged })).toMatchObject({ status: 200, body: enlarged });
    const usage = () => ada.rpc.databases.usage.query({ id });
    expect(await usage()).toMatchObject({ sizeLimit: 40 * 1024 ** 3, connectionLimit: 50 });
    const limit = async () =>
      (
        await ask(
          await addressOf(ada, { id }),
          'select rolconnlimit from pg_roles where rolname = current_user',
        )
      )[0];
    await expect.poll(limit, PATIENCE).toEqual([50]);
    expect(await bob.rest(route, { body: { storageSize: 50 } })).toMatchObject({ status: 404 });
    for (const body of [{ storageSize: 9 }, { storageSize: 10.5 }, { sizeClass: 'huge' }])
      expect(await ada.rest(route, { body })).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });

    // A file without blocks stands for 12 GB.
    const { engineName } = await world.deps.db
      .selectFrom('managedDatabases')
      .select('engineName')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const base = join(world.deps.settings.dataDir, 'databases', engineName, 'data', 'base');
    const folder = (await readdir(base)).find((name) => Number(name) >= 16_384) ?? '';
    const file = join(base, folder, '99999');
    await writeFile(file, '');
    await truncate(file, 12 * 1024 ** 3);
    expect(await ada.rest(route, { body: { storageSize: 12 } })).toMatchObject({
      status: 409,
      body: { code: 'TOO_SMALL', message: 'This database holds 12.01 GB: choose at least 13 GB.' },
    });
    expect(await ada.rest(route, { body: { storageSize: 13 } })).toMatchObject({ status: 200 });
  });

  test('a full one can be written for a while, to delete from it', async () => {
    const { id } = await makeDatabase(ada);
    const route = `POST /api/databases/${id}/free-space` as const;
    expect(await ada.rest(route)).toMatchObject({ status: 409, body: { code: 'NOT_FULL' } });
    await world.deps.db
      .updateTable('managedDatabases')
      .set({ storageState: 'closed' })
      .where('id', '=', id)
      .execute();
    expect(await bob.rest(route)).toMatchObject({ status: 404 });
    const { freeingUntil } = await ada.rpc.databases.freeSpace.mutate({ id });
    const minutes = (Date.parse(freeingUntil ?? '') - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThan(31);
    // Its server looks at it, and finds that it is not full.
    const state = async () => (await ada.rpc.databases.get.query({ id })).storageState;
    await expect.poll(state, PATIENCE).toBe('ok');
  });

  test('says how large it is and who is connected', async () => {
    const database = await makeDatabase(ada, { storageSize: 25 });
    const usage = () => ada.rpc.databases.usage.query({ id: database.id });
    expect(await usage()).toEqual({
      size: expect.any(Number),
      sizeLimit: 25 * 1024 ** 3,
      connections: 0,
      connectionLimit: 20,
    });
    const client = await connectPostgres(await addressOf(ada, database));
    const { size } = await usage();
    await client.query("create table filler as select repeat('x', 500) from generate_series(1, 5000)");
    expect(await usage()).toMatchObject({ connections: 1 });
    expect((await usage()).size).toBeGreaterThan(size + 1_000_000);
    await client.end();
    expect(await ada.rest(`GET /api/databases/${database.id}/usage`)).toMatchObject({ status: 200 });
  });

  test('takes a new password: the old is refused at once, its sessions have ended, nothing is lost', async () => {
    const database = await makeDatabase(ada);
    const old = await addressOf(ada, database);
    const session = await connectPostgres(old);
    await session.query('create table kept as select 7 as n');
    const answer = await ada.rest(`POST /api/databases/${database.id}/rotate-password`);
    expect(answer.status).toBe(200);
    const { connectionString: renewed } = answer.body as { connectionString: string };
    expect(renewed).not.toBe(old);
    await expect(ask(old, 'select 1')).rejects.toThrow('password authentication failed');
    await expect(session.query('select 1')).rejects.toThrow();
    expect(await ask(renewed, 'select n from kept')).toEqual([[7]]);
    expect(await addressOf(ada, database)).toBe(renewed);
  });

  test('with which nothing is being done has nothing to cancel', async () => {
    const { id } = await makeDatabase(ada);
    expect(await ada.rest(`POST /api/databases/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_BUSY', message: 'Nothing is being done with this database.' },
    });
    const row = world.deps.db.updateTable('managedDatabases').where('id', '=', id);
    await row.set({ work: 'moving' }).execute();
    expect(await ada.rpc.databases.cancelWork.mutate({ id })).toMatchObject({ id, work: 'moving' });
    await expect(tellProgress(world.deps.db, id, 50)).rejects.toThrow(WorkCancelled);
  });

  test('has one password, however often it is rotated at once', async () => {
    const database = await makeDatabase(ada);
    const rotate = () => ada.rpc.databases.rotatePassword.mutate({ id: database.id });
    await Promise.allSettled(Array.from({ length: 4 }, rotate));
    expect(await ask(await addressOf(ada, database), 'select 1')).toEqual([[1]]);
  });

  test('is rotated once for one Idempotency-Key', async () => {
    const database = await makeDatabase(ada);
    const headers = { 'idempotency-key': 'rotate-once' };
    const rotate = () => ada.rest(`POST /api/databases/${database.id}/rotate-password`, { headers });
    const [first, second] = [await rotate(), await rotate()];
    expect(second.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      connectionString: await addressOf(ada, database),
      passwordChanged: false,
    });
  });

  test('is gone at once when it is deleted, and so is what its server had', async () => {
    const database = await makeDatabase(ada);
    const address = await addressOf(ada, database);
    const session = await connectPostgres(address);
    const row = await world.deps.db.selectFrom('managedDatabases').select('home').executeTakeFirstOrThrow();
    expect(row.home).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ada.rest(`DELETE /api/databases/${database.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await ada.rpc.databases.list.query()).toEqual([]);
    expect((await ada.rest(`DELETE /api/databases/${database.id}`)).status).toBe(404);
    await expect.poll(() => ask(address, 'select 1').catch(() => 'refused'), PATIENCE).toBe('refused');
    await expect(session.query('select 1')).rejects.toThrow();
    await makeDatabase(ada);
  });
});

/** Everything that waits, ran or runs in the background. */
async function jobs(): Promise<unknown[]> {
  const { rows } = await sql`select * from pgboss.job where name = 'databases'`.execute(world.deps.db);
  return rows;
}

describe('nobody else', () => {
  const routes = (id: string) => [
    `GET /api/databases/${id}`,
    `GET /api/databases/${id}/connection`,
    `GET /api/databases/${id}/usage`,
    `POST /api/databases/${id}/retry`,
    `POST /api/databases/${id}/cancel`,
    `POST /api/databases/${id}/rotate-password`,
    `DELETE /api/databases/${id}`,
  ];

  test('sees or touches a database', async () => {
    const database = await makeDatabase(ada);
    const address = await addressOf(ada, database);
    for (const route of routes(database.id)) {
      expect(await bob.rest(route), route).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await world.anyone.rest(route), route).toMatchObject({ status: 401 });
    }
    for (const route of [...routes(ABSENT), ...routes('nothing')]) {
      expect(await ada.rest(route), route).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const { rpc } = bob;
    await expect(rpc.databases.connection.query({ id: database.id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    expect(await rpc.databases.list.query()).toEqual([]);
    expect(await addressOf(ada, database)).toBe(address);
  });

  test('signed out lists, makes or asks for the types', async () => {
    for (const route of ['GET /api/databases', 'POST /api/databases', 'GET /api/database-engines']) {
      expect(await world.anyone.rest(route), route).toMatchObject({ status: 401 });
    }
  });
});

describe('the stream of changes', () => {
  test('tells an owner of each that is made, changes or goes, and nobody else', async () => {
    const seen: DatabaseChange[] = [];
    const foreign: DatabaseChange[] = [];
    const first = await makeDatabase(ada, { name: 'first' });
    const streams = [
      ada.rpc.databases.changes.subscribe(undefined, { onData: ({ data }) => seen.push(data) }),
      bob.rpc.databases.changes.subscribe(undefined, { onData: ({ data }) => foreign.push(data) }),
    ];
    await expect.poll(() => seen, PATIENCE).toEqual([{ id: first.id, database: first }]);
    const second = await makeDatabase(ada, { name: 'second' });
    await expect.poll(() => seen.at(-1), PATIENCE).toEqual({ id: second.id, database: second });
    await ada.rpc.databases.remove.mutate({ id: first.id });
    await expect.poll(() => seen.at(-1), PATIENCE).toEqual({ id: first.id, database: null });
    const own = await makeDatabase(bob);
    await expect.poll(() => foreign.at(-1), PATIENCE).toEqual({ id: own.id, database: own });
    for (const stream of streams) stream.unsubscribe();
    expect(new Set(foreign.map(({ id }) => id))).toEqual(new Set([own.id]));
  });
});
