import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { addressOf, ask, concluded, makeDatabase, PATIENCE } from './database-fixtures.ts';

let server: KillableServer;

beforeEach(async () => {
  server = await createKillableServer({ MANAGED_POSTGRES_PORT: String(await freePort()) });
});
afterEach(() => server.close());

test('kill -9 between the answer and the making, the rotation or the removal loses none of them', {
  timeout: 120_000,
}, async () => {
  await server.start();
  const ada = { rpc: await server.signUp() };
  const kept = await makeDatabase(ada, { name: 'kept' });
  const dropped = await makeDatabase(ada, { name: 'dropped' });
  const address = await addressOf(ada, kept);
  const doomed = await addressOf(ada, dropped);
  await ask(address, 'create table notes as select 7 as n');

  const made = await Promise.all(
    ['one', 'two', 'three'].map((name) => ada.rpc.databases.create.mutate({ name })),
  );
  await ada.rpc.databases.remove.mutate({ id: dropped.id });
  await server.kill();

  await server.start();
  for (const { id } of made) {
    const database = await concluded(ada, id);
    expect(database).toMatchObject({ status: 'available' });
    expect(await ask(await addressOf(ada, database), 'select 1')).toEqual([[1]]);
  }
  expect(await addressOf(ada, kept)).toBe(address);
  expect(await ask(address, 'select n from notes')).toEqual([[7]]);
  await expect.poll(() => ask(doomed, 'select 1').catch(({ code }) => code), PATIENCE).toBe('28P01');

  // The answer may be lost, but never the way in.
  const rotation = ada.rpc.databases.rotatePassword.mutate({ id: kept.id }).catch(() => undefined);
  await new Promise(setImmediate);
  await server.kill();
  await rotation;
  await server.start();
  const answer = async () => ask(await addressOf(ada, kept), 'select n from notes').catch(({ code }) => code);
  await expect.poll(answer, PATIENCE).toEqual([[7]]);
});
