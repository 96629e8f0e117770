import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import type { ZoneData } from '../src/domains/dns/server/zone.ts';
import { type Console, startConsole } from './console.ts';
import { untilServed, writeQueries, writeZones } from './dns-zones.ts';
import { type DnsLoad, loadDns } from './dnsperf.ts';
import { startBind, startKnot, writeZoneFiles } from './file-name-servers.ts';
import { type Finding, median } from './measure.ts';

const ZONES = 100;
const RECORDS = 100;
const ROUNDS = 5;
const SECONDS = 3;
const TARGET = 0.5;
const PATIENCE = 30_000;
/** Octets of an answer that are more than an unsigned one has, on average. */
const SIGNED_SIZE = 130;

type Kind = 'signed' | 'plain';

const domainOf = (kind: Kind, zone: number) => `${kind}${zone}.example`;

async function signZones(console: Console): Promise<void> {
  for (let zone = 1; zone <= ZONES; zone += 1) {
    await console.call('POST', `/api/dns-zones/${domainOf('signed', zone)}/dnssec`);
  }
}

/** As fast as it goes, with signatures where there are some. */
async function loadSigned(port: number, queries: string): Promise<DnsLoad> {
  const load = await loadDns(port, queries, SECONDS, '-D');
  if (load.lost > 0) throw new Error(`${load.lost} questions were lost`);
  return load;
}

async function compare(port: number, folder: string, host: string, what: string): Promise<Finding> {
  const queriesOf = (kind: Kind) => {
    const nameOf = (index: number) =>
      `${host}${1 + Math.floor(index / ZONES)}.${domainOf(kind, 1 + (index % ZONES))}`;
    const names = Array.from({ length: ZONES * RECORDS }, (_, index) => nameOf(index));
    return writeQueries(join(folder, `${kind}-${host}`), names);
  };
  const files = { signed: await queriesOf('signed'), plain: await queriesOf('plain') };
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

/** As `writeZones` has them. */
function signedZones(): ZoneData[] {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return upTo(ZONES).map((zone) => ({
    domain: domainOf('signed', zone),
    serial: 1,
    records: upTo(RECORDS).map((record) => ({
      owner: `host${record}.${domainOf('signed', zone)}`,
      ...{ type: 'A' as const, value: `192.0.2.${record}`, ttl: 3600 },
    })),
  }));
}

/** The same signed zones by other name servers, those that are installed, in turn with ours. */
async function compareSigners(port: number, folder: string): Promise<Finding[]> {
  const known = `host1.${domainOf('signed', 1)}`;
  const queries = join(folder, 'signed-host');
  const findings: Finding[] = [];
  for (const { name, program, start } of [
    { name: 'BIND', program: 'named', start: startBind },
    { name: 'Knot', program: 'knotd', start: startKnot },
  ]) {
    if (!isInstalled(program)) continue;
    const files = await writeZoneFiles(join(folder, program), signedZones(), known);
    const server = await start({ ...files, signed: true });
    try {
      await untilSigned(server.port, queries);
      const speeds = { ours: [] as number[], theirs: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        speeds.theirs.push((await loadSigned(server.port, queries)).queriesPerSecond);
        speeds.ours.push((await loadSigned(port, queries)).queriesPerSecond);
      }
      const [ours, theirs] = [median(speeds.ours), median(speeds.theirs)];
      findings.push({
        name: `DNS, signed zones, against ${name}`,
        detail: `${ours.toFixed(0)}/s of ${theirs.toFixed(0)}/s: ${(ours / theirs).toFixed(2)}`,
        met: true,
      });
    } finally {
      await server.stop();
    }
  }
  return findings;
}

/** Waits until all zones are signed, which goes on after the first answer. */
async function untilSigned(port: number, queries: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; ) {
    if ((await loadSigned(port, queries)).answerSize > SIGNED_SIZE) return;
    if (Date.now() > deadline) throw new Error('the zones are not signed');
  }
}

/** How fast signed zones are answered for, against the same ones without signatures. Needs `dnsperf`. */
export async function measureSignedDns(): Promise<Finding[]> {
  const port = await freePort();
  const console = await startConsole({ DNS_PORT: String(port) });
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-signed-'));
  try {
    // They differ in nothing but their names.
    const kinds: Kind[] = ['signed', 'plain'];
    await writeZones(console.databaseUrl, { prefixes: kinds, zones: ZONES, records: RECORDS });
    await signZones(console);
    await untilServed(port, `host1.${domainOf('signed', ZONES)}`, PATIENCE);
    return [
      await compare(port, folder, 'host', 'names that are there'),
      await compare(port, folder, 'nowhere', 'names that are not'),
      ...(await compareSigners(port, folder)),
    ];
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
