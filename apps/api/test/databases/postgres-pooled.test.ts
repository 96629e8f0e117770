import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import { altered } from './database-engine-contract.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type DoorCertificate, makeDoorCertificate } from './door-certificate.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

const run = promisify(execFile);

/** A minute's thousandth: asleep as soon as somebody looks. */
const AT_ONCE = 0.001;
const CANCEL = 80877102;

test('where PgBouncer is missing there is no pooled address, and why', async () => {
  const server = await startManagedPostgres({ MANAGED_PGBOUNCER_BIN: '/nonexistent/pgbouncer' });
  try {
    const made = await server.make();
    expect(server.engine.pooled?.(made)).toEqual({
      reason: expect.stringContaining('MANAGED_PGBOUNCER_BIN'),
    });
    expect(await ask(made.address, 'select 1')).toEqual([[1]]);
  } finally {
    await server.close();
  }
});

describe.skipIf(!requireTool('pgbouncer') || !requireTool('openssl'))('the pooled address', () => {
  let certificate: DoorCertificate;
  let server: ManagedPostgres;

  beforeAll(async () => {
    certificate = await makeDoorCertificate();
    const certificateFor = () => certificate.context;
    server = await startManagedPostgres({}, { certificateFor, sleepAfter: AT_ONCE });
  });
  afterAll(async () => {
    await server?.close();
    await certificate?.remove();
  });

  function pooled(credentials: Credentials): string {
    const at = server.engine.pooled?.(credentials);
    if (!at || !('connectionString' in at)) throw new Error(at?.reason);
    return at.connectionString;
  }

  test('serves more clients than the database may have sessions, in the clear and by TLS', async () => {
    const made = await server.make();
    const clients = await Promise.all(Array.from({ length: 40 }, () => connectPostgres(pooled(made))));
    const query = 'select pg_backend_pid() as pid, pg_sleep(0.02), current_user::text as name';
    const answers = await Promise.all(clients.map((client) => client.query(query)));
    const rows = answers.flatMap((answer) => answer.rows);
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(10);
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([made.name]));
    await Promise.all(clients.map((client) => client.end()));
    const secure = `${pooled(made)}?sslmode=no-verify`;
    expect(await ask(secure, 'select 2')).toEqual([[2]]);
  });

  test.skipIf(process.getuid?.() !== 0)('runs under an account that nothing else has', async () => {
    await ask(pooled(await server.make()), 'select 1');
    const { uid, gid, mode } = await stat(join(dirname(server.dataDir), 'pooler', 'users'));
    expect(uid).toBeGreaterThanOrEqual(65_600);
    expect(uid).toBeLessThan(66_000);
    expect({ gid, mode: mode & 0o777 }).toEqual({ gid: uid, mode: 0o600 });
    const { stdout } = await run('ps', ['-o', 'uid=,comm=', '--ppid', String(process.pid)]);
    expect(stdout).toMatch(new RegExp(`^ *${uid} pgbouncer$`, 'm'));
  });

  test('asks for the password of the database, and lets nobody into another or give commands', async () => {
    const [made, other] = [await server.make(), await server.make()];
    const address = pooled(made);
    await expect(ask(altered(address, { password: newPassword() }), 'select 1')).rejects.toMatchObject({
      code: expect.stringMatching(/^(28P01|08P01)$/),
    });
    for (const place of [{ database: other.name }, { name: 'nephos', database: 'pgbouncer' }]) {
      await expect(ask(altered(address, place), 'show users')).rejects.toMatchObject({ code: '28P01' });
    }
    expect(await ask(address, 'select 1')).toEqual([[1]]);
  });

  test('does not keep a database awake for who does nothing, and wakes it for them', async () => {
    const made = await server.make();
    const client = await connectPostgres(pooled(made));
    await client.query('create table kept as select 7 as n');
    await expect.poll(() => server.pidOf(made.name), PATIENCE).toBeUndefined();
    expect((await client.query('select n from kept')).rows).toEqual([{ n: 7 }]);
    await client.end();
  });

  test('ends connections when the password changes, and takes the new one alone', async () => {
    const made = await server.make();
    const client = await connectPostgres(pooled(made));
    await client.query('select 1');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const renewed = { ...made, password: newPassword() };
    await server.engine.setPassword(renewed);
    await ended;
    await expect(ask(pooled(made), 'select 1')).rejects.toThrow(/authentication failed/);
    await expect.poll(() => ask(pooled(renewed), 'select 1').catch(String), PATIENCE).toEqual([[1]]);
  });

  test('takes a password that was set at the server', async () => {
    const made = await server.make();
    expect(await ask(pooled(made), 'select 1')).toEqual([[1]]);
    await ask(made.address, `alter role "${made.name}" password 'her-own'`);
    const own = altered(pooled(made), { password: 'her-own' });
    await expect.poll(() => ask(own, 'select 1').catch(String), PATIENCE).toEqual([[1]]);
  });

  test('is there again after PgBouncer was killed', async () => {
    const made = await server.make();
    const client = await connectPostgres(pooled(made));
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const { stdout } = await run('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)]);
    const pid = Number(/^\s*(\d+) pgbouncer$/m.exec(stdout)?.[1]);
    process.kill(pid, 'SIGKILL');
    await ended;
    await expect.poll(() => ask(pooled(made), 'select 1').catch(String), PATIENCE).toEqual([[1]]);
    expect(await server.logged()).toContain('PgBouncer exited unexpectedly');
  });

  test('cancels a query', async () => {
    const made = await server.make();
    const client = await connectPostgres(pooled(made));
    const query = client.query('select pg_sleep(30)').catch(({ code }) => code);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
    const { hostname, port } = new URL(pooled(made));
    const message = Buffer.alloc(16);
    for (const [at, value] of [16, CANCEL, processID, secretKey].entries())
      message.writeInt32BE(value, 4 * at);
    connect(Number(port), hostname)
      .on('error', () => {})
      .end(message);
    expect(await query).toBe('57014');
    await client.end();
  });
});
