import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import { createMysqlEngine } from '../../src/domains/databases/engines/mysql/mysql-engine.ts';
import { type DoorCertificate, makeDoorCertificate } from './door-certificate.ts';
import { openMysql } from './mysql-session.ts';

const run = promisify(execFile);
const present = requireTool('mariadbd') && requireTool('mariadb');
const SOON = { timeout: 60_000, interval: 100 };

describe.skipIf(!present)('a MariaDB of our own', () => {
  const ended: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ended.reverse()) await end();
  });

  async function make() {
    const dataDir = await mkdtemp(join(tmpdir(), 'nephos-mysql-tls-'));
    await chmod(dataDir, 0o711);
    let certificate: DoorCertificate | undefined;
    const engine = createMysqlEngine({
      settings: readSettings({ DATA_DIR: dataDir, PATH: process.env.PATH }),
      log: pino({ level: 'silent' }),
      certificate: () => certificate && { chain: certificate.ca, key: certificate.key },
      lookEvery: 100,
    });
    ended.push(() => rm(dataDir, { recursive: true, force: true }), engine.stop);
    const credentials = newCredentials();
    return {
      engine,
      home: join(dataDir, 'managed-mysql'),
      credentials,
      async give() {
        certificate = await makeDoorCertificate('127.0.0.1');
        ended.push(certificate.remove);
        return certificate;
      },
      /** What MariaDB's own client answers, which looks who it speaks with. */
      async verified({ caFile }: DoorCertificate): Promise<string> {
        const { hostname, port } = new URL(engine.connectionString(credentials));
        const { stdout } = await run(
          'mariadb',
          [
            ...['--no-defaults', '--protocol=tcp', '--batch', '--skip-column-names', `--host=${hostname}`],
            ...[`--port=${port}`, `--user=${credentials.name}`, `--ssl-ca=${caFile}`],
            ...['--ssl-verify-server-cert', "--execute=show status like 'Ssl_version'"],
          ],
          { env: { PATH: process.env.PATH, MYSQL_PWD: credentials.password } },
        );
        return stdout.trim();
      },
    };
  }

  test('takes TLS with the certificate of the console, and the next one without a restart', async () => {
    const its = await make();
    const first = await its.give();
    await its.engine.create(its.credentials);
    expect(await its.verified(first)).toBe('Ssl_version\tTLSv1.3');
    const session = await openMysql(its.engine.connectionString(its.credentials));
    const second = await its.give();
    await vi.waitFor(async () => expect(await its.verified(second)).toContain('TLSv1.3'), SOON);
    await expect(its.verified(first)).rejects.toThrow(/certificate/i);
    await session.query('do 1');
    session.destroy();
    const { mode, uid } = await stat(join(its.home, 'tls-key'));
    expect([mode & 0o777, uid]).toEqual([0o600, (await stat(join(its.home, 'data'))).uid]);
  });

  test('takes its first certificate once nobody is connected', async () => {
    const its = await make();
    await its.engine.create(its.credentials);
    const session = await openMysql(its.engine.connectionString(its.credentials));
    const certificate = await its.give();
    await expect(its.verified(certificate)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await session.query('do 1');
    await session.end();
    await vi.waitFor(async () => expect(await its.verified(certificate)).toContain('TLSv1.3'), SOON);
    expect(its.engine.unavailable()).toBeNull();
  });
});

test.each([
  ['', ''],
  ['?ssl=%7B%22rejectUnauthorized%22%3Atrue%7D&flags=x', '?ssl=%7B%22rejectUnauthorized%22%3Atrue%7D'],
  ['?ssl-mode=VERIFY_IDENTITY', '?ssl-mode=VERIFY_IDENTITY'],
])('the address at a server of MANAGED_MYSQL_URL with %j says how it is reached', (options, kept) => {
  const settings = readSettings({ MANAGED_MYSQL_URL: `mysql://root:secret@db.example.com/${options}` });
  const engine = createMysqlEngine({ settings, log: pino({ level: 'silent' }) });
  const { name, password } = newCredentials();
  expect(engine.connectionString({ name, password })).toBe(
    `mysql://${name}:${password}@db.example.com:3306/${name}${kept}`,
  );
});
