import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/server-process.mjs';
import { type Console, startConsole } from './console.ts';
import { untilServed, writeQueries, writeZones } from './dns-zones.ts';
import { type DnsLoad, loadDns } from './dnsperf.ts';
import { type Finding, median } from './measure.ts';

const ZONES = 100;
const RECORDS = 100;
const ROUNDS = 5;
const SECONDS = 3;
const TARGET = 0.5;
const PATIENCE = 30_000;

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
    ];
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
