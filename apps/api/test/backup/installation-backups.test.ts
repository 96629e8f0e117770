import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdProofs, openSnapshot } from '@nephos/db';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;
let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  home = openFolder();
  const target = join(home, 'backups');
  const backups = { target, server: undefined, passphrase: undefined, hour: 3 };
  world = await createWorld({ running: true, settings: { backups } });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  // What the server's own process was started with: the command reads it.
  vi.stubEnv('DATABASE_URL', world.databaseUrl);
  vi.stubEnv('DATA_DIR', world.deps.settings.dataDir);
  vi.stubEnv('BACKUP_URL', target);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.close();
  rmSync(home, { recursive: true, force: true });
});

const START = 'POST /api/admin/backups';
const runs = () => ada.rpc.admin.backups.query();
const ended = async () => (await runs()).every(({ status }) => status !== 'running');

/** What is in the table alone: nobody has its lock. */
const addRow = (kind: 'backup' | 'proof') =>
  world.deps.db
    .insertInto('installationBackups')
    .values({ kind, step: 'database' })
    .returning('id')
    .executeTakeFirstOrThrow();

it('begins once asked, by administrators alone, and says why it cannot', async () => {
  const cancel = `POST /api/admin/backups/${crypto.randomUUID()}/cancel`;
  for (const route of [START, 'GET /api/admin/backups', cancel]) {
    const body = route === START ? { kind: 'backup' } : undefined;
    expect((await bob.rest(route, { body })).status).toBe(403);
    expect((await world.anyone.rest(route, { body })).status).toBe(401);
  }
  expect(await ada.rest(START, { body: { kind: 'all' } })).toMatchObject({ status: 400 });
  expect(await ada.rest(START, { body: { kind: 'backup' } })).toMatchObject({
    status: 409,
    body: { message: 'There are no backups in BACKUP_URL yet: run nephos backup init.' },
  });
  await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(['failed']);
  vi.stubEnv('BACKUP_PASSPHRASE', 'four words of mine');
  expect(await ada.rest(START, { body: { kind: 'backup' } })).toMatchObject({
    status: 201,
    body: { kind: 'backup' },
  });
  await expect.poll(ended).toBe(true);
  expect((await runs())[0]).toMatchObject({ kind: 'backup', status: 'done', bytes: expect.any(Number) });
  const [record] = await ada.rpc.audit.installation.query({ limit: 1 });
  expect(record).toMatchObject({ procedure: 'admin.startBackup', result: 'done' });
});

it('that cannot begin is listed and told to administrators: not where its disk is not mounted', async () => {
  const { alerts } = world.deps.domains;
  const told = async () => {
    await alerts.watch();
    const all = await ada.rpc.alerts.list.query();
    return all.map(({ kind, text, recoveredAt }) => ({ kind, text, isOver: recoveredAt !== null }));
  };
  expect(await told()).toEqual([]);
  const place = join(home, 'backups');
  renameSync(place, `${place}.away`);
  const message = expect.stringContaining('is its disk mounted?');
  expect(await ada.rest(START, { body: { kind: 'backup' } })).toMatchObject({
    status: 409,
    body: { message },
  });
  await expect
    .poll(async () => (await runs())[0])
    .toMatchObject({
      status: 'failed',
      error: message,
    });
  const failure = { kind: 'server-backup-failed', text: message };
  expect(await told()).toEqual([{ ...failure, isOver: false }]);
  expect(await bob.rpc.alerts.list.query()).toEqual([]);
  rmSync(place, { recursive: true });
  renameSync(`${place}.away`, place);
  await ada.rpc.admin.startBackup.mutate({ kind: 'backup' });
  await expect.poll(ended).toBe(true);
  expect(await told()).toEqual([{ ...failure, isOver: true }]);
});

it('is made while another is restored on trial, and a failure stays told while the next one runs', async () => {
  const { alerts } = world.deps.domains;
  const { id } = await ada.rpc.admin.startBackup.mutate({ kind: 'proof' });
  const begun = await ada.rpc.admin.startBackup.mutate({ kind: 'backup' });
  await expect.poll(ended).toBe(true);
  const all = await runs();
  for (const one of [id, begun.id]) {
    expect(all.find((run) => run.id === one)).toMatchObject({ status: 'done', error: '' });
  }
  const { db } = world.deps;
  const failed = {
    kind: 'backup',
    status: 'failed',
    error: 'Torn.',
    endedAt: new Date().toISOString(),
  } as const;
  await db.insertInto('installationBackups').values(failed).execute();
  const held = await openSnapshot(world.databaseUrl);
  const running = await addRow('backup');
  await alerts.watch();
  const [alert] = await ada.rpc.alerts.list.query();
  expect(alert).toMatchObject({ text: expect.stringContaining('Torn.'), recoveredAt: null });
  await held.close();
  await db.deleteFrom('installationBackups').where('id', '=', running.id).execute();
});

it('is known to have been cut short by its lock, and can be cancelled as long as it runs', async () => {
  const { id } = await addRow('proof');
  // The one before lets go of its lock a moment after its record ended.
  await expect
    .poll(async () => (await runs())[0])
    .toMatchObject({ id, status: 'failed', error: 'It was cut short.' });
  expect(await ada.rest(`POST /api/admin/backups/${id}/cancel`)).toMatchObject({
    status: 404,
    body: { message: 'It has ended meanwhile.' },
  });
  const letGo = await holdProofs(world.databaseUrl);
  try {
    await expect(holdProofs(world.databaseUrl)).rejects.toThrow('on trial already');
    expect((await runs())[0]).toMatchObject({ id, status: 'running', step: 'database', endedAt: null });
    expect(await ada.rest(START, { body: { kind: 'proof' } })).toMatchObject({
      status: 409,
      body: { message: 'A trial restore is under way.' },
    });
    await ada.rpc.admin.cancelBackup.mutate({ id });
    const { isCancelled } = await world.deps.db
      .selectFrom('installationBackups')
      .where('id', '=', id)
      .select('isCancelled')
      .executeTakeFirstOrThrow();
    expect(isCancelled).toBe(true);
    // A backup is made beside it, and leaves its record alone.
    const begun = await ada.rpc.admin.startBackup.mutate({ kind: 'backup' });
    await expect.poll(async () => (await runs()).find((run) => run.id === begun.id)?.status).toBe('done');
    expect((await runs()).find((run) => run.id === id)).toMatchObject({ status: 'running' });
  } finally {
    await letGo();
  }
});
