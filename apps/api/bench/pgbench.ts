import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const DATABASE = 'pgbench';
const CLIENTS = 20;
const PROGRAM = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find((path) => existsSync(path));

/** Whether Debian's postgresql is on this machine; a benchmark's baseline is no tool of the tests. */
export function hasPgbench(): boolean {
  return PROGRAM !== undefined;
}

async function pgbench(databaseUrl: string, ...args: string[]): Promise<string> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const server = ['-h', hostname, '-p', port, '-U', decodeURIComponent(username)];
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) };
  const { stdout } = await run(PROGRAM ?? '', [...server, ...args, DATABASE], { env });
  return stdout;
}

/** Makes the tables of its TPC-B-like test in a database of their own, a branch for each client. */
export async function fillPgbench(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
  await pgbench(databaseUrl, '-i', '-q', '-s', String(CLIENTS));
}

/** Transactions per second of 20 clients over the simple protocol. */
export async function loadPgbench(databaseUrl: string, seconds: number): Promise<number> {
  const report = await pgbench(
    databaseUrl,
    '-n',
    '-M',
    'simple',
    '-c',
    String(CLIENTS),
    '-T',
    String(seconds),
  );
  return Number(/^tps = ([\d.]+)/m.exec(report)?.[1]);
}
