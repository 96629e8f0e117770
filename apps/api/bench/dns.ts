import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isInstalled } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import { ask } from '../src/domains/dns/server/ask.ts';
import type { ZoneData } from '../src/domains/dns/server/zone.ts';
import { type Console, startConsole } from './console.ts';
import { untilServed, writeQueries, writeZones } from './dns-zones.ts';
import { latencyOfDns, loadDns } from './dnsperf.ts';
import { startBind, startKnot, writeZoneFiles } from './file-name-servers.ts';
import { type Finding, median } from './measure.ts';
import type { OtherNameServer } from './name-server-process.ts';
import { fillPowerDns, hasPowerDns, startPowerDns } from './powerdns.ts';
import { compareSpeeds, type Speed, speedOf } from './processor-time.ts';

const ZONES = 1000;
const RECORDS = 20;
const ROUNDS = 3;
const TARGET_CACHED = 0.8;
const TARGET_UNCACHED = 8;
/** Questions a second at which latency is told. */
const STEADY = 10_000;
const CHANGES_PER_SECOND = 100;
const CHANGE_SECONDS = 5;
const TARGET_CHANGE_MS = 100;
const PATIENCE = 10_000;
const CACHE_SECONDS = 3600;

const domainOf = (zone: number) => `zone${zone}.example`;
const hostOf = (zone: number, record: number) => `host${record}.${domainOf(zone)}`;

/** As `writeZones` has them. */
function allZones(): ZoneData[] {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return upTo(ZONES).map((zone) => ({
    domain: domainOf(zone),
    serial: 1,
    records: upTo(RECORDS).map((record) => ({
      ...{ owner: hostOf(zone, record), type: 'A' as const, value: `192.0.2.${record}`, ttl: 3600 },
    })),
  }));
}

/** A name server of somebody else's with the same zones. */
interface Baseline {
  name: string;
  server: OtherNameServer;
  /** What of its speed ours has to have. */
  target?: number;
}

/** Those that are installed; the rest is said. */
async function startBaselines(databaseUrl: string, folder: string): Promise<Baseline[]> {
  const known = hostOf(1, 1);
  const baselines: Baseline[] = [];
  if (hasPowerDns()) {
    const url = await fillPowerDns(databaseUrl);
    const cached = await startPowerDns(url, CACHE_SECONDS, folder, known);
    const uncached = await startPowerDns(url, 0, folder, known);
    baselines.push({ name: 'PowerDNS from its cache', server: cached, target: TARGET_CACHED });
    baselines.push({ name: 'PowerDNS without its cache', server: uncached, target: TARGET_UNCACHED });
  }
  const files = await writeZoneFiles(join(folder, 'zones'), allZones(), known);
  if (isInstalled('named')) baselines.push({ name: 'BIND', server: await startBind(files) });
  if (isInstalled('knotd')) baselines.push({ name: 'Knot', server: await startKnot(files) });
  if (baselines.length < 4) {
    process.stderr.write('DNS is measured against pdns-backend-pgsql, bind9 and knot (apt-get install)\n');
  }
  return baselines;
}

interface Measured {
  speeds: Speed[];
  lost: number;
}

async function measureOne(
  { speeds, lost }: Measured,
  { pid, port }: { pid: number; port: number },
  queries: string,
): Promise<Measured> {
  let lostNow = 0;
  const speed = await speedOf(pid, async () => {
    const load = await loadDns(port, queries);
    lostNow = load.lost;
    return load.answered;
  });
  return { speeds: [...speeds, speed], lost: lost + lostNow };
}

function ratioFinding({ name, target }: Baseline, ours: Measured, theirs: Measured): Finding {
  const { ratio, detail } = compareSpeeds(ours.speeds, theirs.speeds);
  const wanted = target === undefined ? '0 lost' : `≥ ${target}, 0 lost`;
  return {
    name: `DNS, 1,000 zones of 20 records, against ${name}`,
    detail: `${detail}; ${ours.lost} lost; target ${wanted}`,
    met: ratio >= (target ?? 0) && ours.lost === 0,
  };
}

async function compareServers(
  { pid, databaseUrl }: Console,
  port: number,
  folder: string,
): Promise<Finding[]> {
  const names = Array.from({ length: ZONES * RECORDS }, (_, index) =>
    hostOf(1 + (index % ZONES), 1 + Math.floor(index / ZONES)),
  );
  const queries = await writeQueries(join(folder, 'queries'), names);
  const baselines = await startBaselines(databaseUrl, folder);
  const servers = [{ name: 'ours', server: { pid, port } }, ...baselines];
  try {
    let measured = servers.map((): Measured => ({ speeds: [], lost: 0 }));
    for (const { server } of servers) await loadDns(server.port, queries, 2);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, { server }] of servers.entries()) {
        const before = measured[index] ?? { speeds: [], lost: 0 };
        measured = measured.with(index, await measureOne(before, server, queries));
      }
    }
    const latencies: string[] = [];
    for (const { name, server } of servers) {
      latencies.push(`${name} ${(await latencyOfDns(server.port, queries, STEADY)).toFixed(2)} ms`);
    }
    const [ours, ...theirs] = measured;
    return [
      ...baselines.flatMap((baseline, index) => {
        const their = theirs[index];
        return ours && their ? [ratioFinding(baseline, ours, their)] : [];
      }),
      { name: `DNS, p99 at ${STEADY} questions a second`, detail: latencies.join(', '), met: true },
    ];
  } finally {
    await Promise.all(baselines.map(({ server }) => server.stop()));
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

async function measureChanges(console: Console, port: number): Promise<Finding[]> {
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
  return [
    {
      name: `DNS, from a change to its answer, ${CHANGES_PER_SECOND} changes a second`,
      detail: `median ${median(answers).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms after calls of ${median(calls).toFixed(1)} and ${p99Of(calls).toFixed(1)} ms; target < ${TARGET_CHANGE_MS} ms`,
      met: p99 < TARGET_CHANGE_MS,
    },
  ];
}

/** A console that serves `ZONES`. */
async function withZones(work: (console: Console, port: number) => Promise<Finding[]>): Promise<Finding[]> {
  const port = await freePort();
  const console = await startConsole({ DNS_PORT: String(port) });
  try {
    await writeZones(console.databaseUrl, { prefixes: ['zone'], zones: ZONES, records: RECORDS });
    await untilServed(port, hostOf(ZONES, RECORDS), PATIENCE);
    return await work(console, port);
  } finally {
    await console.stop();
  }
}

/** How soon a change is answered, on 1,000 zones. */
export function measureDnsChanges(): Promise<Finding[]> {
  return withZones(measureChanges);
}

/** The name server on 1,000 zones against others with the same ones. */
export async function measureDns(): Promise<Finding[]> {
  if (!isInstalled('dnsperf')) {
    process.stderr.write('skipped: DNS speed needs dnsperf (apt-get install)\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-dns-'));
  try {
    return await withZones((console, port) => compareServers(console, port, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
