import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../tools/server-process.mjs';
import { ask } from '../src/domains/dns/server/ask.ts';
import { type Console, startConsole } from './console.ts';
import { type DnsSpeed, hasDnsperf, latencyOfDns, loadDns } from './dnsperf.ts';
import { type Finding, median } from './measure.ts';
import { fillPowerDns, hasPowerDns, startPowerDns } from './powerdns.ts';

const ZONES = 1000;
const RECORDS = 20;
const ROUNDS = 3;
const TARGET_CACHED = 0.4;
const TARGET_UNCACHED = 4;
/** Questions a second at which latency is told. */
const STEADY = 10_000;
const CHANGES_PER_SECOND = 100;
const CHANGE_SECONDS = 5;
const TARGET_CHANGE_MS = 100;
const PATIENCE = 10_000;
const CACHE_SECONDS = 3600;

const domainOf = (zone: number) => `zone${zone}.example`;
const hostOf = (zone: number, record: number) => `host${record}.${domainOf(zone)}`;

/** Writes the zones in one transaction, all of the console's one account. */
async function writeZones(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `with zones as (
       insert into dns_zones (owner_id, domain, serial, verified_at)
       select (select id from users limit 1), 'zone' || z || '.example', 1, now() from generate_series(1, ${ZONES}) z
       returning id, owner_id)
     insert into dns_records (owner_id, zone_id, name, record_type, value, ttl)
     select owner_id, id, 'host' || r, 'A', '192.0.2.' || r, 3600 from zones, generate_series(1, ${RECORDS}) r`,
  );
  await client.end();
}

/** Milliseconds until our server answers with all of `ZONES`. */
async function untilServed(port: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await wait(20)) {
    const { answers } = await ask({ host: '127.0.0.1', port }, hostOf(ZONES, RECORDS), 'A');
    if (answers.length > 0) return;
    if (Date.now() > deadline) throw new Error('the zones are not served');
  }
}

/** Every name once, in an order of chance, as `dnsperf` reads them. */
async function writeQueries(folder: string): Promise<string> {
  const names = Array.from({ length: ZONES * RECORDS }, (_, index) =>
    hostOf(1 + (index % ZONES), 1 + Math.floor(index / ZONES)),
  );
  const shuffled = names.map((name) => ({ name, at: Math.random() })).toSorted((a, b) => a.at - b.at);
  const file = join(folder, 'queries');
  await writeFile(file, shuffled.map(({ name }) => `${name} A\n`).join(''));
  return file;
}

function ratioFinding(against: string, ours: DnsSpeed[], theirs: DnsSpeed[], target: number): Finding {
  const speed = median(ours.map(({ queriesPerSecond }) => queriesPerSecond));
  const baseline = median(theirs.map(({ queriesPerSecond }) => queriesPerSecond));
  const lost = ours.reduce((sum, one) => sum + one.lost, 0);
  const ratio = speed / baseline;
  return {
    name: `DNS, 1,000 zones of 20 records, against PowerDNS ${against}`,
    detail: `${speed.toFixed(0)}/s of ${baseline.toFixed(0)}/s: ${ratio.toFixed(2)}, ${lost} lost; target ≥ ${target}, 0 lost`,
    met: ratio >= target && lost === 0,
  };
}

async function compareSpeed(port: number, databaseUrl: string, folder: string): Promise<Finding[]> {
  const queries = await writeQueries(folder);
  const powerDnsUrl = await fillPowerDns(databaseUrl);
  const known = hostOf(1, 1);
  const cached = await startPowerDns(powerDnsUrl, CACHE_SECONDS, folder, known);
  const uncached = await startPowerDns(powerDnsUrl, 0, folder, known);
  try {
    const speeds = { ours: [] as DnsSpeed[], cached: [] as DnsSpeed[], uncached: [] as DnsSpeed[] };
    for (const one of [port, cached.port]) await loadDns(one, queries);
    for (let round = 0; round < ROUNDS; round += 1) {
      speeds.cached.push(await loadDns(cached.port, queries));
      speeds.ours.push(await loadDns(port, queries));
      speeds.uncached.push(await loadDns(uncached.port, queries));
    }
    const [p99, theirs] = [
      await latencyOfDns(port, queries, STEADY),
      await latencyOfDns(cached.port, queries, STEADY),
    ];
    return [
      ratioFinding('from its cache', speeds.ours, speeds.cached, TARGET_CACHED),
      ratioFinding('without its cache', speeds.ours, speeds.uncached, TARGET_UNCACHED),
      {
        name: `DNS, p99 at ${STEADY} questions a second`,
        detail: `${p99.toFixed(2)} ms; PowerDNS from its cache ${theirs.toFixed(2)} ms`,
        met: true,
      },
    ];
  } finally {
    await Promise.all([cached.stop(), uncached.stop()]);
  }
}

interface Change {
  /** Milliseconds of the call. */
  call: number;
  /** Milliseconds from the call's end until our server answers with the change. */
  answer: number;
}

async function changeOne(console: Console, port: number, id: string, change: number): Promise<Change> {
  const [zone, value] = [1 + (change % ZONES), `198.51.${change >> 8}.${change & 255}`];
  const begun = performance.now();
  await console.call('PATCH', `/api/dns/${id}`, { value });
  const called = performance.now();
  for (; performance.now() - called < PATIENCE; await wait(1)) {
    const { answers } = await ask({ host: '127.0.0.1', port }, hostOf(zone, 1), 'A');
    if (answers.some((answer) => answer.endsWith(value))) break;
  }
  return { call: called - begun, answer: performance.now() - called };
}

function p99Of(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

async function measureChanges(console: Console, port: number): Promise<Finding> {
  const client = new pg.Client(console.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: string; domain: string }>(
    `select r.id, z.domain from dns_records r join dns_zones z on z.id = r.zone_id where r.name = 'host1'`,
  );
  await client.end();
  const ids = new Map(rows.map(({ id, domain }) => [domain, id]));
  const changes: Promise<Change>[] = [];
  for (let change = 0; change < CHANGES_PER_SECOND * CHANGE_SECONDS; change += 1) {
    const id = ids.get(domainOf(1 + (change % ZONES))) ?? '';
    changes.push(changeOne(console, port, id, change));
    await wait(1000 / CHANGES_PER_SECOND);
  }
  const done = await Promise.all(changes);
  const answers = done.map(({ answer }) => answer);
  const calls = done.map(({ call }) => call);
  const p99 = p99Of(answers);
  return {
    name: `DNS, from a change to its answer, ${CHANGES_PER_SECOND} changes a second`,
    detail: `median ${median(answers).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms after calls of ${median(calls).toFixed(1)} and ${p99Of(calls).toFixed(1)} ms; target < ${TARGET_CHANGE_MS} ms`,
    met: p99 < TARGET_CHANGE_MS,
  };
}

/** The name server on 1,000 zones against PowerDNS with the same ones, and how soon a change is answered. */
export async function measureDns(): Promise<Finding[]> {
  const port = await freePort();
  const console = await startConsole({ DNS_PORT: String(port) });
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-dns-'));
  try {
    await writeZones(console.databaseUrl);
    await untilServed(port);
    const changes = await measureChanges(console, port);
    if (!hasPowerDns() || !(await hasDnsperf())) {
      process.stderr.write('skipped: DNS speed needs pdns-backend-pgsql and dnsperf (apt-get install)\n');
      return [changes];
    }
    return [...(await compareSpeed(port, console.databaseUrl, folder)), changes];
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
