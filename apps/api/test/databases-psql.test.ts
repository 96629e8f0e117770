import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../tools/require-tool.ts';
import { addressOf, ask, makeDatabase } from './database-fixtures.ts';
import { createWorld, type Person, type World } from './world.ts';

const run = promisify(execFile);

/** Nothing of the machine's own settings decides where the programs connect to, or whether they ask a person. */
const env = { PATH: process.env.PATH, PGCONNECT_TIMEOUT: '5', PGPASSFILE: '/nonexistent' };

async function psql(address: string, command: string): Promise<string> {
  const { stdout } = await run('psql', [address, '-XAtw', '-c', command], { env });
  return stdout.trim();
}

describe.skipIf(!requireTool('psql'))('psql', () => {
  let world: World;
  let ada: Person;

  beforeAll(async () => {
    world = await createWorld({ running: true });
    ada = await world.as('Ada');
  });
  afterAll(() => world.close());

  test('takes the very string that the API gives, and refuses the old one after a rotation', async () => {
    const database = await makeDatabase(ada);
    const address = await addressOf(ada, database);
    expect(await psql(address, 'select 1')).toBe('1');
    await psql(address, 'create table kept as select 7 as n');
    expect(await psql(address, '\\dt')).toContain('kept');
    const { connectionString: renewed } = await ada.rpc.databases.rotatePassword.mutate(database);
    await expect(psql(address, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await psql(renewed, 'select n from kept')).toBe('7');
  });

  test('pg_dump saves a database and psql restores it into another', async (context) => {
    const from = await addressOf(ada, await makeDatabase(ada, { name: 'from' }));
    const into = await addressOf(ada, await makeDatabase(ada, { name: 'into' }));
    const [[server] = []] = await ask(from, "select current_setting('server_version_num')::int / 10000");
    const client = Number(/(\d+)\./.exec((await run('pg_dump', ['--version'], { env })).stdout)?.[1]);
    if (client < Number(server)) {
      console.warn(`skipped: pg_dump ${client} saves no database of PostgreSQL ${server}`);
      return context.skip();
    }
    await psql(from, 'create schema shop; create table shop.orders as select 7 as n');
    const { stdout: dump } = await run('pg_dump', ['--no-owner', '--dbname', from], { env });
    await psql(into, dump.replaceAll(/^\\.*$/gm, ''));
    expect(await psql(into, 'select n from shop.orders')).toBe('7');
  });
});
