import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDb, createPool } from './client.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { isAlive } from './embedded-leftover.ts';
import { migrate } from './migrate.ts';

/** A file system in memory, on Linux. */
const IN_MEMORY = '/dev/shm';
/** Bytes that have to be free there, and in memory at all: several times what a run was seen to take. */
const ROOM = 6 * 1024 ** 3;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What a test needs in order to get a database of its own. Plain JSON: it crosses to the test workers. */
export interface TestServer {
  /** Address with a role that may create databases. */
  adminUrl: string;
  /** A migrated database that the others are cloned from. */
  template: string;
  /** Begins the name of every database of this run. */
  prefix: string;
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export interface RunningTestServer extends TestServer {
  /** Drops every database of the run, and ends the server if it is ours. */
  close(): Promise<void>;
}

/**
 * A PostgreSQL for one test run: the one that `adminUrl` names, which keeps nothing of the run, or else an
 * embedded one whose data is thrown away.
 */
export async function startTestServer(adminUrl?: string): Promise<RunningTestServer> {
  const host = adminUrl ? { url: adminUrl, async stop() {} } : await startThrowAway();
  const prefix = `nephos_test_${randomBytes(5).toString('hex')}`;
  const server: TestServer = { adminUrl: host.url, template: `${prefix}_template`, prefix };
  try {
    await makeTemplate(server);
  } catch (error) {
    await host.stop();
    throw error;
  }
  return {
    ...server,
    async close() {
      await dropAll(server);
      await host.stop();
    },
  };
}

/** A fresh copy of the migrated template, for one test file. */
export async function cloneTemplate({ adminUrl, template, prefix }: TestServer): Promise<TestDatabase> {
  const name = `${prefix}_${randomBytes(5).toString('hex')}`;
  await asAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query('show server_version_num');
    // The file copy came with 15, and is quicker there than going through the log.
    const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'strategy file_copy' : '';
    await admin.query(`create database "${name}" template "${template}" ${strategy}`);
  });
  return { url: urlOf(adminUrl, name), drop: () => dropDatabase(adminUrl, name) };
}

/** To make a database's thousand files takes longer on a disk than what most tests ask of it. */
async function parentOfThrowAway(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= ROOM ? IN_MEMORY : tmpdir();
}

async function startThrowAway(): Promise<{ url: string; stop(): Promise<void> }> {
  const home = await mkdtemp(join(await parentOfThrowAway(), 'nephos-test-postgres-'));
  await chmod(home, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: join(home, 'data'), durable: false });
  const keep = whenCutShort(() => {
    process.kill(server.pid, 'SIGQUIT');
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < 100 && isAlive(server.pid); tries++) Atomics.wait(clock, 0, 0, 10);
    rmSync(home, { recursive: true, force: true });
  });
  return {
    url: server.url,
    async stop() {
      keep();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Ctrl-C ends a test run without its teardown: does `clear` first. Until the result is called. */
function whenCutShort(clear: () => void): () => void {
  const listener = (signal: NodeJS.Signals) => {
    clear();
    keep();
    process.kill(process.pid, signal);
  };
  const keep = () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return keep;
}

async function makeTemplate({ adminUrl, template }: TestServer): Promise<void> {
  await asAdmin(adminUrl, (admin) => admin.query(`create database "${template}"`));
  const db = createDb(createPool({ url: urlOf(adminUrl, template), max: 2 }));
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

async function dropAll({ adminUrl, prefix }: TestServer): Promise<void> {
  const names = await asAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    return rows.map((row: { datname: string }) => row.datname);
  });
  for (const name of names) await dropDatabase(adminUrl, name);
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (admin) => admin.query(`drop database if exists "${name}" with (force)`));
}

async function asAdmin<T>(adminUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl });
  admin.on('error', () => {});
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}
