import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const DATABASE = 'pgbench';
/** Connections of its own, and branches. */
const CLIENTS = 20;
const PROGRAM = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find((path) => existsSync(path));

/** Whether Debian's postgresql is on this machine; a benchmark's baseline is no tool of the tests. */
export function hasPgbench(): boolean {
  return PROGRAM !== undefined;
}

export interface Place {
  /** A folder is that of a Unix socket. */
  host: string;
  port: string;
  user: string;
  password: string;
  database: string;
  /** As libpq has it. */
  sslmode?: string;
}

function placeOf(databaseUrl: string): Place {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  return { host: hostname, port, user, password: secret, database: DATABASE };
}

async function pgbench(place: Place, ...args: string[]): Promise<string> {
  const { host, port, user, password, database, sslmode = 'prefer' } = place;
  const env = { ...process.env, PGPASSWORD: password, PGSSLMODE: sslmode };
  const server = ['-h', host, '-p', port, '-U', user];
  const { stdout } = await run(PROGRAM ?? '', [...server, ...args, database], { env });
  return stdout;
}

/** Makes the tables of its TPC-B-like test in a database that is there. */
export async function fillPlace(place: Place): Promise<void> {
  await pgbench(place, '-i', '-q', '-s', String(CLIENTS));
}

/** Transactions per second of 20 clients over the simple protocol. */
export async function loadPlace(place: Place, seconds: number): Promise<number> {
  const args = ['-n', '-M', 'simple', '-c', String(CLIENTS), '-T', String(seconds)];
  return Number(/^tps = ([\d.]+)/m.exec(await pgbench(place, ...args))?.[1]);
}

/** Any transaction of its script. */
export function anyTransfer() {
  const upTo = (most: number) => 1 + Math.floor(Math.random() * most);
  return {
    account: upTo(CLIENTS * 100_000),
    branch: upTo(CLIENTS),
    teller: upTo(CLIENTS * 10),
    delta: upTo(10_001) - 5001,
  };
}

/** Makes the tables of its TPC-B-like test in a database of their own, a branch for each client; returns its address. */
export async function fillPgbench(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
  await fillPlace(placeOf(databaseUrl));
  const url = new URL(databaseUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** As `loadPlace` says, of the tables of `fillPgbench`. */
export function loadPgbench(databaseUrl: string, seconds: number): Promise<number> {
  return loadPlace(placeOf(databaseUrl), seconds);
}
