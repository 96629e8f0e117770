import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { nameOf } from '../../src/domains/dns/server/names.ts';
import { servedSets } from '../../src/domains/dns/server/signing/signed-sets.ts';
import { keyText } from '../../src/domains/dns/server/signing/zone-key.ts';
import { openTcp, TCP_LIMITS } from '../../src/domains/dns/server/tcp.ts';
import { openUdp } from '../../src/domains/dns/server/udp.ts';
import type { ZoneData } from '../../src/domains/dns/server/zone.ts';
import { ZONES } from './dns-cases.ts';
import { makeZone, randomFrom } from './dns-zones.ts';
import { newKey, serveZones, zoneDataOf } from './signed-zones.ts';

const run = promisify(execFile);
const VALIDATORS = ['delv', 'kdig', 'dnssec-verify'] as const;
const HAS_TOOLS = VALIDATORS.map(requireTool).every(Boolean);
/** `TEST_ZONES=200` takes some minutes. */
const RANDOM_ZONES = Number(process.env.TEST_ZONES ?? 20);
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

const key = newKey();
const random = randomFrom(seed);
/** Aliases of ours whose addresses nobody has fail, which no zone file can say. */
const FAILING = /^flat(out|loop|loop2|sub) /;
const CASES: readonly ZoneData[] = Object.entries(ZONES).map(([domain, records]) =>
  zoneDataOf(
    domain,
    records.filter((record) => !FAILING.test(record)),
    [key],
  ),
);
const RANDOM: readonly ZoneData[] = Array.from({ length: RANDOM_ZONES }, (_, index) => ({
  ...makeZone(index, random),
  keys: [key],
}));
/** Two zones on their way from one key to another: before and after the other one is used. */
const [former, next] = [newKey(), newKey()];
const ROLLING = [
  ['announced.test', former, { ...next, state: 'incoming' as const }],
  ['replaced.test', { ...former, state: 'retiring' as const }, next],
] as const;
const { responder, zones, ask } = serveZones([
  ...CASES,
  ...RANDOM,
  ...ROLLING.map(([domain, ...keys]) => zoneDataOf(domain, ['www 300 A 192.0.2.1', '* 300 TXT x'], keys)),
]);

let folder: string;
let port: number;
let servers: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-signed-'));
  port = await freePort();
  servers = [
    await openUdp(responder, { host: '127.0.0.1', port }),
    await openTcp(responder, { host: '127.0.0.1', port }, TCP_LIMITS),
  ];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true, force: true });
});

/** A name of a zone as a master file has it, whatever octets are in it. */
function textOf(name: string): string {
  let text = '';
  for (let at = 0; name.charCodeAt(at) > 0; at += name.charCodeAt(at) + 1) {
    text += `${name.slice(at + 1, at + 1 + name.charCodeAt(at))}.`;
  }
  return text;
}

/** The signed zone as a master file in the words of RFC 3597, which need to know no type. */
function dumpOf(domain: string): string {
  const zone = zones.authorityOf(nameOf(domain));
  if (!zone) throw new Error(`no zone ${domain}`);
  const lines = [...servedSets(zones, zone)].flatMap(({ owner, set }) =>
    set.records.map((record) => {
      const data = record.subarray(10);
      return `${textOf(owner)} ${set.ttl} IN TYPE${set.type} \\# ${data.length} ${data.toString('hex')}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** What a tool says, also where it fails. */
async function sayOf(tool: string, args: readonly string[]): Promise<string> {
  const failed = ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr });
  const { stdout, stderr } = await run(tool, args, { cwd: folder }).catch(failed);
  return stdout + stderr;
}

/** Files of keys to trust, by their names: many a `delv` reads one at once. */
const anchors = new Map<string, Promise<void>>();

async function anchorOf(domain: string, publicKey: string): Promise<string> {
  const file = join(folder, `${domain}.${publicKey.slice(0, 8).replaceAll('/', '_')}.keys`);
  const [flags, protocol, algorithm, point] = keyText(publicKey).split(' ');
  const text = `trust-anchors { "${domain}." static-key ${flags} ${protocol} ${algorithm} "${point}"; };\n`;
  if (!anchors.has(file)) anchors.set(file, writeFile(file, text));
  await anchors.get(file);
  return file;
}

/** What `delv` makes of a question, told no more than the zone's key. */
async function validate(
  domain: string,
  name: string,
  type: string,
  publicKey = key.publicKey,
): Promise<string> {
  const anchor = await anchorOf(domain, publicKey);
  return sayOf('delv', ['@127.0.0.1', '-p', String(port), '-a', anchor, `+root=${domain}`, name, type]);
}

/** Whether a question is answered to its end from one zone: a resolver of one server learns nothing of others. */
function isWhole({ domain }: ZoneData, name: string, type: string): boolean {
  const { answers = [], authorities = [] } = ask(`${name} ${type}`);
  const owners = [...answers, ...authorities].map((record) => record.name);
  if (!owners.every((owner) => owner === domain || owner.endsWith(`.${domain}`))) return false;
  return (
    authorities.some((record) => record.type === 'SOA') || answers.some((record) => record.type === type)
  );
}

/** The names below which others answer. */
function isDelegated({ domain, records }: ZoneData, name: string): boolean {
  return records.some(
    ({ type, owner }) => type === 'NS' && owner !== domain && (name === owner || name.endsWith(`.${owner}`)),
  );
}

describe.skipIf(!HAS_TOOLS)('signed zones', () => {
  test(`the zones of TEST_SEED=${seed} hold as files, each name and signature`, {
    timeout: 120_000,
  }, async () => {
    for (const { domain } of [...CASES, ...RANDOM]) {
      const file = join(folder, `${domain}.zone`);
      await writeFile(file, dumpOf(domain));
      expect([domain, await sayOf('dnssec-verify', ['-q', '-z', '-o', domain, file])]).toEqual([domain, '']);
    }
  });

  test('a verifier sees what is missing', async () => {
    const [{ domain } = { domain: '' }] = RANDOM;
    const lines = dumpOf(domain).split('\n');
    const without = (type: number) => {
      const at = lines.findLastIndex((line) => line.includes(` TYPE${type} `));
      return lines.toSpliced(at, 1).join('\n');
    };
    for (const type of [46, 47]) {
      const file = join(folder, `broken${type}.zone`);
      await writeFile(file, without(type));
      expect(await sayOf('dnssec-verify', ['-q', '-z', '-o', domain, file])).not.toBe('');
    }
  });

  test(`delv validates every answer of TEST_SEED=${seed}`, { timeout: 240_000 }, async () => {
    const asked: { zone: ZoneData; name: string; type: string }[] = [];
    for (const zone of [...CASES.filter(({ domain }) => domain === 'example.test'), ...RANDOM]) {
      const { domain, records } = zone;
      const owners = [...new Set([domain, ...records.map(({ owner }) => owner)])];
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
      const near = (owner: string) =>
        pick([owner, `x.${owner}`, owner.replace(/^[^.]+/, 'nn'), `a.b.${owner}`]);
      const count = domain === 'example.test' ? 50 : 5;
      for (let left = count; left > 0; left -= 1) {
        const name = near(pick(owners)).replace(/\*/g, () => pick(['*', 'any']));
        if (!name.endsWith(domain) || isDelegated(zone, name)) continue;
        const type = pick(['A', 'AAAA', 'TXT', 'MX', 'CNAME', 'SOA', 'DNSKEY', 'CAA']);
        if (isWhole(zone, name, type)) asked.push({ zone, name, type });
      }
      for (const { owner } of records.filter(({ type, owner: at }) => type === 'NS' && at !== domain)) {
        asked.push({ zone, name: owner, type: 'DS' });
      }
    }
    expect(asked.length).toBeGreaterThan(RANDOM_ZONES * 3);
    for (let at = 0; at < asked.length; at += 4) {
      await Promise.all(
        asked.slice(at, at + 4).map(async ({ zone: { domain }, name, type }) => {
          const said = await validate(domain, name, type);
          expect([name, type, said]).toEqual([name, type, expect.stringMatching(/fully validated/)]);
          expect(said).not.toMatch(/unsigned|unvalidated|no valid/);
        }),
      );
    }
  });

  test.each(ROLLING)('delv validates %s by either key, while there are two', async (domain) => {
    for (const { publicKey } of [former, next]) {
      for (const [name, type] of [
        ['www', 'A'],
        ['www', 'MX'],
        ['any', 'TXT'],
      ] as const) {
        expect(await validate(domain, `${name}.${domain}`, type, publicKey)).toMatch(/fully validated/);
      }
    }
  });

  test('delv refuses them by another key', async () => {
    const said = await validate('example.test', 'www.example.test', 'A', newKey().publicKey);
    expect(said).toMatch(/resolution failed|no valid/);
    expect(said).not.toMatch(/fully validated/);
  });

  test('kdig reads signatures, and proofs of what is not there', async () => {
    const kdig = (...args: string[]) =>
      sayOf('kdig', ['@127.0.0.1', '-p', String(port), '+dnssec', '+retry=0', ...args]);
    const found = await kdig('www.example.test', 'A');
    expect(found).toMatch(
      /^www\.example\.test\.\s+300\s+IN\s+RRSIG\s+A 13 3 300 \d{14} \d{14} \d+ example\.test\. /m,
    );
    expect(found).toMatch(/Flags: qr aa rd; /);
    const missing = await kdig('nowhere.example.test', 'A');
    expect(missing).toMatch(/status: NXDOMAIN/);
    expect(missing).toMatch(
      /^example\.test\.\s+300\s+IN\s+NSEC\s+\S+ A NS SOA MX TXT AAAA RRSIG NSEC DNSKEY CDS CDNSKEY$/m,
    );
    expect(await kdig('example.test', 'DNSKEY')).toMatch(/IN\s+DNSKEY\s+257 3 13 /);
  });
});
