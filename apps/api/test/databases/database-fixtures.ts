import type { Inputs, ManagedDatabase } from '@nephos/contracts';
import { expect, vi } from 'vitest';
import type { Person } from '../world.ts';
import { connectPostgres } from './postgres-session.ts';

/** For what happens in the background: within seconds, also on a busy machine. */
export const PATIENCE = { timeout: 60_000, interval: 20 };

export type Input = Inputs['databases']['create'];

/** Waits until a database is made, or not. */
export async function concluded(person: Pick<Person, 'rpc'>, id: string): Promise<ManagedDatabase> {
  const get = () => person.rpc.databases.get.query({ id });
  // Unlike `expect.poll`, also before the first test.
  await vi.waitFor(async () => expect((await get()).status).not.toBe('creating'), PATIENCE);
  return get();
}

/** A new database that can be used. */
export async function makeDatabase(
  person: Pick<Person, 'rpc'>,
  input: Partial<Input> = {},
): Promise<ManagedDatabase> {
  const { id } = await person.rpc.databases.create.mutate({ name: 'main', ...input });
  const database = await concluded(person, id);
  expect(database).toMatchObject({ status: 'available', error: '' });
  return database;
}

export async function addressOf(person: Pick<Person, 'rpc'>, { id }: { id: string }): Promise<string> {
  return (await person.rpc.databases.connection.query({ id })).connectionString;
}

/** The rows of one statement at the PostgreSQL database of an address. */
export async function ask(address: string, sql: string): Promise<unknown[][]> {
  const client = await connectPostgres(address);
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}
