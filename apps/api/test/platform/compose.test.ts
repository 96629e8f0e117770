import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runsAsRoot } from '@nephos/db';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { requireTool } from '../../../../tools/require-tool.ts';
import { readSettings } from '../../src/core/env.ts';
import { openOwnDatabase } from '../../src/platform/own-database.ts';
import { createWorld } from '../world.ts';

interface Service {
  command?: string[];
  environment: Record<string, string>;
  ports?: string[];
  networks?: unknown;
  network_mode?: string;
  volumes: string[];
}

const TEXT = readFileSync(join(import.meta.dirname, '../../../../docker-compose.yml'), 'utf8');
const { services, configs } = parse(TEXT) as {
  services: { postgres: Service; nephos: Service };
  configs: Record<'access-rules' | 'console-role', { content: string }>;
};
const { postgres, nephos } = services;

describe('docker-compose.yml', () => {
  test('has no password of its own: one has to be set, and a sentence says how', () => {
    expect(postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?[^}]{20,}\}$/);
    expect(nephos.environment.DATABASE_URL).toMatch(/:\$\{POSTGRES_PASSWORD\}@/);
    expect(TEXT).not.toMatch(/PASSWORD:?-/);
  });

  test('has PostgreSQL on no network, and on a socket that root alone can open', () => {
    expect(postgres).toMatchObject({ network_mode: 'none' });
    expect([postgres.ports, postgres.networks]).toEqual([undefined, undefined]);
    const parameters = [
      'hba_file=/etc/postgresql-access-rules',
      'listen_addresses=',
      'unix_socket_permissions=0700',
    ];
    expect(postgres.command).toEqual(['postgres', ...parameters.map((parameter) => `-c${parameter}`)]);
    expect(postgres.volumes).toContain('socket:/var/run/postgresql');
    expect(nephos.volumes).toContain('socket:/run/postgresql');
  });
});

const run = promisify(execFile);
const PASSWORD = 'f00dfeed';
/** The account of an app: none that is in /etc/passwd. */
const APP = { uid: 20_001, gid: 20_001 };

/** A cluster on a socket with the rules of the file, which its script has prepared as the image does. */
async function startAsComposed(): Promise<(user: string, password: string) => string> {
  const home = await mkdtemp(join(tmpdir(), 'nephos-test-'));
  const socket = join(home, 's');
  await chmod(home, 0o711);
  await mkdir(socket);
  // As the image has the folder: everyone may look into it.
  await chmod(socket, 0o777);
  // Here the account of the server has another name than the superuser.
  const rules = configs['access-rules'].content.replace('all postgres peer', 'all postgres scram-sha-256');
  const server = await startEmbeddedPostgres({
    dataDir: join(home, 'data'),
    durable: false,
    password: PASSWORD,
    accessRules: rules.split('\n'),
    parameters: { listen_addresses: '', unix_socket_directories: socket, unix_socket_permissions: '0700' },
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });
  const port = String(server.port);
  const script = run(
    'psql',
    ['-X', '-vON_ERROR_STOP=1', '-h', socket, '-p', port, '-U', 'postgres', '-f', '-'],
    {
      env: { PATH: process.env.PATH, PGPASSWORD: PASSWORD, POSTGRES_PASSWORD: PASSWORD },
    },
  );
  script.child.stdin?.end(configs['console-role'].content);
  await script;
  const urlOf = (user: string, password: string) =>
    `postgres://${user}:${password}@${encodeURIComponent(socket)}:${port}/nephos`;
  return urlOf;
}

async function ask<T extends object>(url: string, query: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(query)).rows;
  } finally {
    await client.end();
  }
}

test.skipIf(!requireTool('psql'))(
  'the console runs as its ordinary role, over the socket, and nobody else comes in',
  async () => {
    const urlOf = await startAsComposed();
    const url = urlOf('nephos', PASSWORD);
    const settings = readSettings({ DATABASE_URL: url });
    // Migrations, jobs, notifications and a first account.
    const own = await openOwnDatabase(settings, pino({ level: 'silent' }));
    const world = await createWorld({ databaseUrl: url, running: true });
    const ada = await world.as('Ada');
    expect((await ada.rest('GET /readyz')).status).toBe(200);
    const engines = await ada.rpc.admin.engines.query();
    const states = engines
      .filter(({ id }) => id === 'own-database' || id === 'job-queue')
      .map(({ state }) => state);
    expect(states).toEqual(['healthy', 'healthy']);
    await world.close();
    await own.close();

    expect(
      await ask(
        url,
        'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    await expect(ask(urlOf('nephos', 'nephos'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
    await expect(ask(url.replace(/nephos$/, 'postgres'), 'select 1')).rejects.toThrow(/no pg_hba.conf entry/);
    if (!runsAsRoot()) return;
    const asApp = run('psql', ['-X', url, '-c', 'select 1'], {
      ...APP,
      cwd: '/',
      env: { PATH: process.env.PATH },
    });
    await expect(asApp).rejects.toThrow(/Permission denied/);
  },
  // A cluster is made, and all migrations are applied.
  60_000,
);
