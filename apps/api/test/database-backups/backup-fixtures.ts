import type { ManagedDatabase } from '@nephos/contracts';
import { expect, vi } from 'vitest';
import { addressOf, ask } from '../databases/database-fixtures.ts';
import type { Person } from '../world.ts';

/** For what is copied in the background. */
export const SOON = { timeout: 60_000, interval: 50 };
/** Milliseconds of a test that restores. */
export const LONG = 60_000;
/** The log is kept, and a new database backed up, at once. */
export const AT_ONCE = { archiverTimes: { lookEvery: 200, firstAfter: 0 } };

/** Waits until a database has its first backup. */
export async function backedUp({ rpc }: Pick<Person, 'rpc'>, { id }: { id: string }): Promise<void> {
  const past = () => rpc.databaseBackups.get.query({ id });
  await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
}

/** A database once it was brought back, or was not. */
export async function conclusion(
  { rpc }: Pick<Person, 'rpc'>,
  { id }: { id: string },
): Promise<ManagedDatabase> {
  const get = () => rpc.databases.get.query({ id });
  await vi.waitFor(async () => expect((await get()).status).not.toBe('creating'), SOON);
  return get();
}

/** Once it was brought back: its address. */
export async function arrival(person: Pick<Person, 'rpc'>, { id }: { id: string }): Promise<string> {
  const done = { status: 'available', error: '', work: null, workPercent: null };
  expect(await conclusion(person, { id })).toMatchObject(done);
  return addressOf(person, { id });
}

/** The moment by a database's own clock; what is done after it is later. */
export async function momentOf(address: string): Promise<string> {
  const [[now]] = (await ask(address, 'select to_json(clock_timestamp())')) as [[string]];
  await ask(address, 'select pg_sleep(0.005)');
  return new Date(Math.ceil(Date.parse(now))).toISOString();
}

/** What a database holds in its table `kept`. */
export const numbersIn = async (address: string) =>
  (await ask(address, 'select n from kept order by n')).flat();
