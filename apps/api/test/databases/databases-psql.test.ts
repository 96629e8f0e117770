import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, makeDatabase, PATIENCE } from './database-fixtures.ts';

const run = promisify(execFile);

/** Nothing of the machine's own settings decides where the programs connect to, or whether they ask a person. */
const env = { PATH: process.env.PATH, PGCONNECT_TIMEOUT: '5', PGPASSFILE: '/nonexistent' };

async function psql(address: string, command: string): Promise<string> {
  const { stdout } = await run('psql', [address, '-XAtw', '-c', command], { env });
  return stdout.trim();
}

/**
 * Leads to the same server, which says that it is of the version `major` there: `pg_dump` refuses newer ones than
 * itself, though all that it asks of a database like this one is answered. What the role may read is what counts here.
 */
async function relayAs(major: string, address: string) {
  const { hostname, port } = new URL(address);
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    const renamed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const text = chunk.toString('latin1').replace(/(server_version\0)\d\d/, `$1${major}`);
        done(null, Buffer.from(text, 'latin1'));
      },
    });
    // Of the same length, as the message tells it. Versions 15 and 16 do not know our locale.
    const asked = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const text = chunk
          .toString('latin1')
          .replace('datlocprovider, daticulocale', "'c' as datlocprovider".padEnd(28));
        done(null, Buffer.from(text, 'latin1'));
      },
    });
    pipeline(client, asked, server, () => {});
    pipeline(server, renamed, client, () => {});
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(address);
  url.port = String((relay.address() as AddressInfo).port);
  return { address: url.href, close: () => relay.close() };
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

  test('changes its password there: the console notices, and a rotation makes its string work again', async () => {
    const database = await makeDatabase(ada, { name: 'changed' });
    const address = await addressOf(ada, database);
    await psql(address, "alter user current_user password 'her-own'");
    await expect(psql(address, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await ada.rest(`GET /api/databases/${database.id}/connection`)).toMatchObject({
      status: 200,
      body: { connectionString: address, passwordChanged: true },
    });
    expect(await ada.rpc.databases.get.query(database)).toMatchObject({ passwordChanged: true });
    expect(await ada.rpc.databases.list.query()).toContainEqual(
      expect.objectContaining({ id: database.id, passwordChanged: true }),
    );
    const renewed = await ada.rpc.databases.rotatePassword.mutate(database);
    expect(renewed.passwordChanged).toBe(false);
    expect(await psql(renewed.connectionString, 'select 1')).toBe('1');
    expect(await ada.rpc.databases.get.query(database)).toMatchObject({ passwordChanged: false });
  });

  test('sets the password back that the console has, and is let in when all its connections are taken', async () => {
    const database = await makeDatabase(ada, { name: 'changed-back' });
    const address = await addressOf(ada, database);
    const other = new URL(address);
    other.password = 'her-own';
    await psql(address, "alter user current_user password 'her-own'");
    expect(await ada.rpc.databases.connection.query(database)).toMatchObject({ passwordChanged: true });
    await psql(other.href, `alter user current_user password '${new URL(address).password}'`);
    expect(await ada.rpc.databases.connection.query(database)).toMatchObject({ passwordChanged: false });
    await psql(address, `alter database "${new URL(address).pathname.slice(1)}" connection limit 0`);
    expect(await ada.rpc.databases.connection.query(database)).toMatchObject({ passwordChanged: false });
  });

  test('pg_dump saves a database and psql restores it into another', async () => {
    const from = await addressOf(ada, await makeDatabase(ada, { name: 'from' }));
    const into = await addressOf(ada, await makeDatabase(ada, { name: 'into' }));
    await psql(from, 'create schema shop; create table shop.orders as select 7 as n');
    const [, client = ''] = /(\d+)\./.exec((await run('pg_dump', ['--version'], { env })).stdout) ?? [];
    const relay = await relayAs(client, from);
    const { stdout: dump } = await run('pg_dump', ['--no-owner', '--inserts', '--dbname', relay.address], {
      env,
    });
    relay.close();
    await psql(into, dump.replaceAll(/^\\.*$/gm, ''));
    expect(await psql(into, 'select n from shop.orders')).toBe('7');
  });

  test('pg_dump saves a database in its own format, and the console imports it into another', async () => {
    const from = await addressOf(ada, await makeDatabase(ada, { name: 'archived' }));
    const { id } = await makeDatabase(ada, { name: 'imported' });
    await psql(from, "create schema shop; create table shop.orders as select 7 as n, E'it''s\\t' as t");
    const [, client = ''] = /(\d+)\./.exec((await run('pg_dump', ['--version'], { env })).stdout) ?? [];
    const relay = await relayAs(client, from);
    const options = { env, encoding: 'buffer' as const };
    const { stdout: dump } = await run(
      'pg_dump',
      ['--format=custom', '--schema=shop', '--dbname', relay.address],
      options,
    );
    relay.close();
    const imported = async (bytes: Buffer) => {
      const file = { fileName: 'a.dump', fileSize: bytes.length };
      const fileData = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
      const { id: fileId } = await ada.rpc.storage.create.mutate({ ...file, fileData });
      await ada.rpc.databaseImports.start.mutate({ id, fileId });
      return vi.waitFor(async () => {
        const [last] = await ada.rpc.databaseImports.list.query({ id });
        expect(last?.status).not.toBe('running');
        return last;
      }, PATIENCE);
    };
    expect(await imported(dump.subarray(0, -20))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The dump could not be read: '),
    });
    expect(await imported(dump)).toMatchObject({ status: 'done', error: '' });
    const into = await addressOf(ada, { id });
    expect(await psql(into, 'select n, t, pg_catalog.length(t) from shop.orders')).toBe("7|it's\t|5");
  });
});
