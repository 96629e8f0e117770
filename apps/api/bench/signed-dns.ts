import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../tools/server-process.mjs';
import { ask } from '../src/domains/dns/server/ask.ts';
import { type Console, startConsole } from './console.ts';
import { type Finding, median } from './measure.ts';

const ZONES = 100;
const RECORDS = 100;
const ROUNDS = 5;
const SECONDS = 3;
const TARGET = 0.5;
const PATIENCE = 30_000;
const OUTPUT = 2 ** 26;

type Kind = 'signed' | 'plain';

const domainOf = (kind: Kind, zone: number) => `${kind}${zone}.example`;

/** Zones of both kinds, which differ in nothing but their names. */
async function writeZones(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `with zones as (
       insert into dns_zones (owner_id, domain, serial, verified_at)
       select (select id from users limit 1), kind || z || '.example', 1, now()
       from generate_series(1, ${ZONES}) z, unnest(array['signed', 'plain']) kind
       returning id, owner_id)
     insert into dns_records (owner_id, zone_id, name, record_type, value, ttl)
     select owner_id, id, 'host' || r, 'A', '192.0.2.' || r, 3600 from zones, generate_series(1, ${RECORDS}) r`,
  );
  await client.end();
}

async function signZones(console: Console): Promise<void> {
  for (let zone = 1; zone <= ZONES; zone += 1) {
    await console.call('POST', `/api/dns-zones/${domainOf('signed', zone)}/dnssec`);
  }
}

async function untilServed(port: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await wait(50)) {
    const { answers } = await ask({ host: '127.0.0.1', port }, `host1.${domainOf('signed', ZONES)}`, 'A');
    if (answers.length > 0) return;
    if (Date.now() > deadline) throw new Error('the zones are not served');
  }
}

/** Every name once, in an order of chance, as `dnsperf` reads them. */
async function writeQueries(folder: string, kind: Kind, host: string): Promise<string> {
  const names = Array.from(
    { length: ZONES * RECORDS },
    (_, index) => `${host}${1 + Math.floor(index / ZONES)}.${domainOf(kind, 1 + (index % ZONES))}`,
  );
  const shuffled = names.map((name) => ({ name, at: Math.random() })).toSorted((a, b) => a.at - b.at);
  const file = join(folder, `${kind}-${host}`);
  await writeFile(file, shuffled.map(({ name }) => `${name} A\n`).join(''));
  return file;
}

interface Load {
  queriesPerSecond: number;
  /** Octets of an answer on average. */
  answerSize: number;
}

/** Asks as fast as it goes and, as resolvers do, for signatures. */
async function loadSigned(port: number, queries: string): Promise<Load> {
  const where = ['-s', '127.0.0.1', '-p', String(port), '-d', queries];
  const { stdout } = await promisify(execFile)('dnsperf', [...where, '-D', '-l', String(SECONDS)], {
    maxBuffer: OUTPUT,
  });
  const lost = Number(/Queries lost: +(\d+)/.exec(stdout)?.[1]);
  if (lost > 0) throw new Error(`${lost} questions were lost`);
  return {
    queriesPerSecond: Number(/Queries per second: +([\d.]+)/.exec(stdout)?.[1]),
    answerSize: Number(/response (\d+)/.exec(stdout)?.[1]),
  };
}

async function compare(port: number, folder: string, host: string, what: string): Promise<Finding> {
  const files = {
    signed: await writeQueries(folder, 'signed', host),
    plain: await writeQueries(folder, 'plain', host),
  };
  const speeds: Record<Kind, number[]> = { signed: [], plain: [] };
  const sizes = {
    signed: (await loadSigned(port, files.signed)).answerSize,
    plain: (await loadSigned(port, files.plain)).answerSize,
  };
  if (!(sizes.signed > sizes.plain)) throw new Error('the answers have no signatures');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['plain', 'signed'] as const) {
      speeds[kind].push((await loadSigned(port, files[kind])).queriesPerSecond);
    }
  }
  const [signed, plain] = [median(speeds.signed), median(speeds.plain)];
  const ratio = signed / plain;
  return {
    name: `DNS, signed zones against zones without signatures, ${what}`,
    detail: `${signed.toFixed(0)}/s of ${plain.toFixed(0)}/s: ${ratio.toFixed(2)}, ${sizes.signed} of ${sizes.plain} octets; target ≥ ${TARGET}`,
    met: ratio >= TARGET,
  };
}

/** How fast signed zones are answered for, against the same ones without signatures. Needs `dnsperf`. */
export async function measureSignedDns(): Promise<Finding[]> {
  const port = await freePort();
  const console = await startConsole({ DNS_PORT: String(port) });
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-signed-'));
  try {
    await writeZones(console.databaseUrl);
    await signZones(console);
    await untilServed(port);
    return [
      await compare(port, folder, 'host', 'names that are there'),
      await compare(port, folder, 'nowhere', 'names that are not'),
    ];
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
