import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newCredentials, newPassword } from '../../src/domains/databases/credentials.ts';
import { altered } from './database-engine-contract.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type DoorCertificate, makeDoorCertificate } from './door-certificate.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

const run = promisify(execFile);
type Made = Awaited<ReturnType<ManagedPostgres['make']>>;

/** A minute's thousandth: asleep as soon as somebody looks. */
const AT_ONCE = 0.001;

let server: ManagedPostgres;
const HAS_OPENSSL = requireTool('openssl');

let certificate: DoorCertificate | undefined;
let hasCertificate = true;
let isKeyBroken = false;
let made: Made;

beforeAll(async () => {
  certificate = HAS_OPENSSL ? await makeDoorCertificate() : undefined;
  const context = certificate?.context;
  server = await startManagedPostgres(
    {},
    {
      certificateFor() {
        if (isKeyBroken) throw new Error('the key cannot be used');
        return hasCertificate ? context : undefined;
      },
      sleepAfter: AT_ONCE,
    },
  );
  made = await server.make();
});
afterAll(async () => {
  await server?.close();
  await certificate?.remove();
});
afterEach(() => {
  hasCertificate = true;
  isKeyBroken = false;
});

const asleep = (name: string) => expect.poll(() => server.pidOf(name), PATIENCE).toBeUndefined();

/** A connection in the clear, and all that came back once it was closed. */
async function say(...messages: Buffer[]): Promise<Buffer> {
  const { hostname, port } = new URL(made.address);
  const socket = connectSocket(Number(port), hostname);
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => {});
  for (const message of messages) socket.write(message);
  await once(socket, 'close');
  return Buffer.concat(heard);
}

function start(values: Record<string, string>): Buffer {
  const text = Object.entries(values).flat();
  const body = Buffer.from(`\0\x03\0\0${text.join('\0')}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

function request(code: number, ...more: number[]): Buffer {
  const bytes = Buffer.alloc(8 + 4 * more.length);
  bytes.writeInt32BE(bytes.length);
  for (const [at, value] of [code, ...more].entries()) bytes.writeInt32BE(value, 4 + 4 * at);
  return bytes;
}

const TLS = request(80877103);
const GSS = request(80877104);

describe('a database that nobody uses', () => {
  test('sleeps, is measured without being woken, and wakes with what it holds', async () => {
    await ask(made.address, 'create table kept as select 7 as n');
    await asleep(made.name);
    const usage = await server.engine.usage(made.name);
    expect(usage).toMatchObject({ connections: 0, connectionLimit: 20 });
    expect(usage.size).toBeGreaterThan(1_000_000);
    expect(server.engine.lastStart?.(made.name)).toBe('worked');
    const unasked = () => expect.unreachable();
    expect(await server.engine.observer?.counters(unasked)).toEqual([]);
    expect(await server.pidOf(made.name)).toBeUndefined();
    expect(await ask(made.address, 'select n from kept')).toEqual([[7]]);
  });

  test('is looked at while it runs, and sleeps all the same', async () => {
    const client = await connectPostgres(made.address);
    const look = async () => {
      const counters = await server.engine.observer?.counters((error) => expect.fail(String(error)));
      return counters?.map(({ name, connections }) => ({ name, connections }));
    };
    expect(await look()).toEqual([{ name: made.name, connections: 1 }]);
    await client.end();
    const seen = server.engine.observer?.look(made.name, async (administrator) => {
      await asleep(made.name);
      return administrator.query('select 1');
    });
    expect(await seen).toBeUndefined();
  });

  test('does not sleep while somebody is connected, and takes all who come while it wakes', async () => {
    await asleep(made.name);
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectPostgres(made.address)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const answers = await Promise.all(clients.map((client) => client.query('select 1 as one')));
    expect(answers.flatMap(({ rows }) => rows)).toHaveLength(10);
    await Promise.all(clients.map((client) => client.end()));
    await asleep(made.name);
  });

  test('is another account each, as root, whose files nobody else can read', async () => {
    if (process.getuid?.() !== 0) return;
    const other = await server.make();
    const owner = async (name: string) =>
      (await run('stat', ['-c', '%u %a', join(server.dataDir, name, 'data')])).stdout.trim().split(' ');
    const [[one, mode], [two]] = [await owner(made.name), await owner(other.name)];
    expect(Number(one)).toBeGreaterThanOrEqual(70_000);
    expect(two).not.toBe(one);
    expect(mode).toBe('700');
  });
});

test('kill -9 of a server loses nothing that was committed, and the next connection starts it', async () => {
  const client = await connectPostgres(made.address);
  client.on('error', () => {});
  await client.query('create table committed as select 8 as n');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  process.kill((await server.pidOf(made.name)) ?? 0, 'SIGKILL');
  await ended;
  await expect
    .poll(() => ask(made.address, 'select n from committed').catch(String), PATIENCE)
    .toEqual([[8]]);
});

test('a server that cannot be started is told of, and tried again when somebody comes', async () => {
  const { name, address } = await server.make();
  await asleep(name);
  const [version, away] = ['PG_VERSION', 'gone'].map((file) => join(server.dataDir, name, 'data', file));
  await rename(version ?? '', away ?? '');
  expect(server.engine.lastStart?.(name)).toBe('worked');
  await expect(ask(address, 'select 1')).rejects.toMatchObject({ code: '57P03' });
  expect(server.engine.lastStart?.(name)).toBe('failed');
  expect(server.engine.lastStart?.(made.name)).toBe('worked');
  await rename(away ?? '', version ?? '');
  await expect.poll(() => ask(address, 'select 1').catch(String), PATIENCE).toEqual([[1]]);
  expect(server.engine.lastStart?.(name)).toBe('worked');
});

test('a password is not asked about for longer than 3 s while the server is taken up otherwise', async () => {
  const credentials = await server.make();
  // Keeps it from sleeping, and so from ending what is stopped here.
  const client = await connectPostgres(credentials.address);
  const pid = (await server.pidOf(credentials.name)) ?? 0;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const processes = [pid, ...children.trim().split(' ').map(Number)];
  for (const each of processes) process.kill(each, 'SIGSTOP');
  const change = server.engine.setPassword({ ...credentials, password: newPassword() }).catch(() => {});
  try {
    await expect(server.engine.accepts(credentials)).rejects.toThrow('did not answer');
  } finally {
    for (const each of processes) process.kill(each, 'SIGCONT');
    await change;
    await client.end();
  }
});

test('what a killed console left running is ended by the next, which finds all databases', async () => {
  const first = await startManagedPostgres({}, { sleepAfter: null });
  const { name, address } = await first.make();
  await ask(address, 'create table kept as select 9 as n');
  const pid = await first.pidOf(name);
  const second = await startManagedPostgres(
    { MANAGED_POSTGRES_PORT: '0' },
    { home: join(first.dataDir, '..'), sleepAfter: AT_ONCE },
  );
  try {
    expect(pid).toBeDefined();
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENCE).toBe(false);
    const { port } = new URL(second.engine.connectionString(newCredentials()));
    const moved = new URL(address);
    moved.port = port;
    expect(await ask(moved.href, 'select n from kept')).toEqual([[9]]);
  } finally {
    await second.engine.stop();
    await first.close();
  }
});

describe('the door', () => {
  test.skipIf(!HAS_OPENSSL)(
    'ends TLS: a client that verifies name and issuer is let in, by request and directly',
    async () => {
      const url = new URL(made.address);
      const options = { host: url.hostname, port: Number(url.port), user: made.name, database: made.name };
      const { ca = '', domain = '' } = certificate ?? {};
      const ssl = { ca, servername: domain };
      for (const sslnegotiation of ['postgres', 'direct'] as const) {
        const client = new pg.Client({ ...options, password: made.password, ssl, sslnegotiation });
        await client.connect();
        const { rows } = await client.query("select repeat('x', 1000000) as text");
        expect(rows[0].text).toHaveLength(1_000_000);
        await client.end();
      }
      const wrong = new pg.Client({
        ...{ ...options, password: made.password },
        ssl: { ca, servername: 'another.example.test' },
      });
      await expect(wrong.connect()).rejects.toThrow("does not match certificate's altnames");
    },
  );

  test('says that there is no TLS where there is no certificate, and no GSSAPI ever', async () => {
    hasCertificate = false;
    const heard = await say(
      GSS,
      TLS,
      start({ user: made.name, database: made.name }),
      Buffer.from('X\0\0\0\x04'),
    );
    expect(heard.subarray(0, 3).toString('latin1')).toBe('NNR');
    const client = new pg.Client({ connectionString: made.address, ssl: true });
    await expect(client.connect()).rejects.toThrow('does not support SSL');
  });

  test('declines each kind of encryption once, however often it is asked for in one piece', async () => {
    hasCertificate = false;
    const heard = await say(Buffer.concat(Array.from({ length: 8000 }, () => GSS)));
    expect(heard.toString('latin1')).toMatch(/^N{0,2}$/);
    expect(await ask(made.address, 'select 1')).toEqual([[1]]);
  });

  test('goes on without TLS where the key of the certificate cannot be used, and says so in the log', async () => {
    isKeyBroken = true;
    const heard = await say(TLS, start({ user: made.name, database: made.name }), Buffer.from('X\0\0\0\x04'));
    expect(heard.subarray(0, 2).toString('latin1')).toBe('NR');
    expect((await say(Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]))).length).toBe(0);
    expect(await server.logged()).toContain('a certificate could not be used');
  });

  test.skipIf(!HAS_OPENSSL)('takes nothing for granted that was said in the clear before TLS', async () => {
    expect((await say(Buffer.concat([TLS, start({ user: 'a' })]))).toString('latin1')).not.toContain('S');
  });

  test.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a start that is too long', Buffer.from([0, 1, 0, 0, 0, 3, 0, 0])],
    ['a negative length', Buffer.from([255, 255, 255, 255, 0, 3, 0, 0])],
    ['another protocol', request(2 << 16)],
    ['a key that no session has', request(80877102, 1, 2)],
  ])('hangs up on %s', async (_what, bytes) => {
    expect((await say(bytes)).length).toBe(0);
  });

  test('asks who names no database of ours for a password as all others, and refuses them the same way', async () => {
    const refusalOf = async (address: string) => {
      const error = await ask(address, 'select 1').catch((reason) => reason);
      const { code, severity, message } = error;
      return { code, severity, message: message.replace(/db_[0-9a-f]+|postgres/, 'name') };
    };
    const known = await refusalOf(altered(made.address, { password: newPassword() }));
    expect(known.code).toBe('28P01');
    const { name } = newCredentials();
    expect(await refusalOf(altered(made.address, { name, database: name }))).toEqual(known);
    const password = (await readFile(join(server.dataDir, 'password'), 'utf8')).trim();
    const administrator = altered(made.address, { name: 'postgres', password });
    expect(await refusalOf(administrator)).toEqual(known);
    const { name: other } = newCredentials();
    expect(await refusalOf(altered(made.address, { database: other }))).toEqual(known);
    expect(await refusalOf(altered(made.address, { name: other }))).toEqual(known);
  });

  test('cancels a query at the server that runs it', async () => {
    const client = await connectPostgres(made.address);
    const query = client.query('select pg_sleep(30)').catch(({ code }) => code);
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
    await new Promise((resolve) => setTimeout(resolve, 100));
    await say(request(80877102, processID, secretKey));
    expect(await query).toBe('57014');
    await client.end();
  });

  test('lets in who has the password, however many hold places of its database without one', async () => {
    const { hostname, port } = new URL(made.address);
    const client = await connectPostgres(made.address);
    const sockets = Array.from({ length: 60 }, () =>
      connectSocket({ host: hostname, port: Number(port), localAddress: '127.0.0.2' }).on('error', () => {}),
    );
    for (const socket of sockets) socket.write(start({ user: made.name, database: made.name }));
    const heard = sockets.map((socket) => {
      const said: Buffer[] = [];
      socket.on('data', (bytes) => said.push(bytes));
      return () => Buffer.concat(said).toString('latin1');
    });
    const asked = () => heard.filter((text) => text().startsWith('R')).length;
    const refused = () => heard.filter((text) => text().includes('53300')).length;
    await expect.poll(asked, PATIENCE).toBe(15);
    const began = performance.now();
    expect(await ask(made.address, 'select 1')).toEqual([[1]]);
    expect(performance.now() - began).toBeLessThan(5000);
    await expect.poll(refused, PATIENCE).toBeGreaterThan(15);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    for (const socket of sockets) socket.destroy();
    await client.end();
    const connections = async () => (await server.engine.usage(made.name)).connections;
    await expect.poll(connections, PATIENCE).toBe(0);
  });

  test('lets in as many at once as its role is allowed, all of which come from one address', async () => {
    const one = await server.make();
    const clients = await Promise.all(Array.from({ length: 20 }, () => connectPostgres(one.address)));
    await expect(connectPostgres(one.address)).rejects.toMatchObject({ code: '53300' });
    await Promise.all(clients.map((client) => client.end()));
  });

  test('lets others in however many only keep it waiting, or are refused', async () => {
    const { hostname, port } = new URL(made.address);
    const { name } = newCredentials();
    const sockets: Socket[] = [];
    for (const first of [start({ user: name, database: name }), Buffer.alloc(0)]) {
      for (let n = 0; n < 260; n += 1) {
        const socket = connectSocket(Number(port), hostname).on('error', () => {});
        if (first.length > 0) socket.write(first);
        sockets.push(socket);
      }
      await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')));
    }
    expect(await ask(made.address, 'select 1')).toEqual([[1]]);
    const closed = () => sockets.filter((socket) => socket.resume().closed).length;
    await expect.poll(closed).toBeGreaterThanOrEqual(20);
    expect(closed()).toBeLessThan(260);
    for (const socket of sockets) socket.destroy();
  });

  test('moves much in both directions at the pace of who takes it', async () => {
    const client = await connectPostgres(made.address);
    const text = 'x'.repeat(20_000_000);
    const { rows } = await client.query('select $1::text as echo', [text]);
    expect(rows[0].echo === text).toBe(true);
    await client.end();
  });
});

test('connections that come while the password changes wait for the new one', async () => {
  const credentials = await server.make();
  const renewed = { ...credentials, password: newPassword() };
  const address = altered(credentials.address, renewed);
  const change = server.engine.setPassword(renewed);
  await new Promise(setImmediate);
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => ask(address, 'select 1').catch(({ code }) => code)),
  );
  await change;
  expect(answers).toEqual([[[1]], [[1]], [[1]]]);
});
