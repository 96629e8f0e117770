import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../tools/server-process.mjs';
import type { ZoneData } from '../src/domains/dns/server/zone.ts';
import { zoneFile } from '../src/domains/dns/server/zone-file.ts';
import { type OtherNameServer, startNameServer } from './name-server-process.ts';

/** Host names of the zones' NS records. */
const NAME_SERVERS = ['ns1.nephos.example'];

/** What name servers of zone files are started with. */
export interface ZoneFiles {
  folder: string;
  domains: readonly string[];
  /** A name that they have. */
  known: string;
  /** Whether they sign them, as they come: ECDSA P-256 and NSEC; absent: no. */
  signed?: boolean;
}

/** Writes zones as files, `<domain>.zone` each. */
export async function writeZoneFiles(
  folder: string,
  zones: readonly ZoneData[],
  known: string,
): Promise<ZoneFiles> {
  await mkdir(folder);
  for (const zone of zones) {
    await writeFile(join(folder, `${zone.domain}.zone`), zoneFile(zone, NAME_SERVERS));
  }
  return { folder, domains: zones.map(({ domain }) => domain), known };
}

/** BIND (Debian's package `bind9`) with a thread and a socket for each processor, as it comes. */
export async function startBind({
  folder,
  domains,
  known,
  signed = false,
}: ZoneFiles): Promise<OtherNameServer> {
  const port = await freePort();
  const file = join(folder, 'named.conf');
  const signing = signed ? ' dnssec-policy default; inline-signing yes;' : '';
  const zones = domains.map(
    (domain) => `zone "${domain}" { type primary; file "${domain}.zone";${signing} };`,
  );
  const options = [
    ...[`directory "${folder}";`, `listen-on port ${port} { 127.0.0.1; };`, 'listen-on-v6 { none; };'],
    ...['recursion no;', 'notify no;', 'pid-file none;', 'minimal-responses yes;'],
  ];
  await writeFile(file, [`options { ${options.join(' ')} };`, 'controls {};', ...zones].join('\n'));
  return startNameServer('/usr/sbin/named', ['-g', '-c', file], { port, known });
}

/** Knot (Debian's package `knot`), likewise. */
export async function startKnot({
  folder,
  domains,
  known,
  signed = false,
}: ZoneFiles): Promise<OtherNameServer> {
  const port = await freePort();
  const file = join(folder, 'knot.conf');
  const storage = join(folder, 'knot');
  await mkdir(storage);
  const lines = [
    ...['server:', `  rundir: ${folder}`, `  listen: 127.0.0.1@${port}`],
    ...['database:', `  storage: ${storage}`],
    ...['log:', '  - target: stderr', '    any: error'],
    ...['template:', '  - id: default', `    storage: ${folder}`, '    file: "%s.zone"'],
    ...['    zonefile-sync: -1', '    journal-content: none'],
    ...(signed ? ['    dnssec-signing: on'] : []),
    'zone:',
    ...domains.map((domain) => `  - domain: ${domain}`),
  ];
  await writeFile(file, lines.join('\n'));
  return startNameServer('/usr/sbin/knotd', ['-c', file], { port, known });
}
