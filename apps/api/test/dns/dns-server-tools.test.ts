import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RecordType, readValue } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import type { ZoneData } from '../../src/domains/dns/server/zone.ts';
import { zoneFile } from '../../src/domains/dns/server/zone-file.ts';
import { createDnsWorld, type DnsWorld, NAME_SERVERS } from './dns-world.ts';
import { makeZone, randomFrom } from './dns-zones.ts';

const run = promisify(execFile);
/** `TEST_ZONES=1000` takes half a minute. */
const ZONES = Number(process.env.TEST_ZONES ?? 100);
const TEXT = 'say "hi" \\ back; grüße';

const DIGEST = `${'d4b1c2'.repeat(10)}d4b1`;
/** In canonical form. */
const OF_EACH_TYPE = {
  CAA: '128 issue "ca.example; account=1"',
  SRV: '10 5 5060 mail.example.test',
  PTR: 'mail.example.test',
  TLSA: `3 1 1 ${DIGEST}`,
  SSHFP: `4 2 ${DIGEST}`,
  HTTPS:
    '1 . mandatory=alpn,port alpn=h2,h3 no-default-alpn port=8443 ipv4hint=192.0.2.1,192.0.2.2 ech=AEX+DQ== ipv6hint=2001:db8::1',
  SVCB: '2 mail.example.test alpn=dot',
  DS: `60485 13 2 ${DIGEST}`,
} as const;

let world: DnsWorld;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-zones-'));
  world = await createDnsWorld();
  const serial = await world.putZone('example.test', [
    '@ 300 MX 10 mail.example.test',
    'mail 300 A 192.0.2.25',
    'alias 600 CNAME mail.example.test',
    `text 300 TXT ${TEXT}`,
    `long 300 TXT ${'x'.repeat(300)}`,
    ...Object.entries(OF_EACH_TYPE).map(([type, value]) => `${type}.each 300 ${type} ${value}`),
    'DS.each 300 NS ns.other.test',
    'flat 300 ALIAS alias.example.test',
    ...Array.from({ length: 100 }, (_, i) => `big 300 A 10.0.0.${i}`),
  ]);
  await world.served('example.test', serial);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(tool: string, ...args: string[]): Promise<string> {
  const options = tool === 'dig' ? ['+nocookie', '+tries=1', '+time=2'] : ['+retry=0', '+time=2'];
  const { stdout } = await run(tool, ['@127.0.0.1', '-p', String(world.port), ...options, ...args]);
  return stdout;
}

describe.each(['dig', 'kdig'])('%s', (tool) => {
  test.skipIf(!requireTool(tool))(
    'reads our answers, asks by TCP by itself and hears of refusals',
    async () => {
      expect(await ask(tool, '+short', 'mail.example.test', 'A')).toBe('192.0.2.25\n');
      expect(await ask(tool, '+short', 'alias.example.test', 'A')).toBe('mail.example.test.\n192.0.2.25\n');
      const text = 'say \\"hi\\" \\\\ back; gr\\195\\188\\195\\159e';
      expect(await ask(tool, '+short', 'text.example.test', 'TXT')).toBe(`"${text}"\n`);
      expect(await ask(tool, '+short', 'long.example.test', 'TXT')).toBe(
        `"${'x'.repeat(255)}" "${'x'.repeat(45)}"\n`,
      );
      expect((await ask(tool, '+short', 'big.example.test', 'A')).trim().split('\n').length).toBe(100);
      expect(await ask(tool, '+tcp', '+short', 'mail.example.test', 'A')).toBe('192.0.2.25\n');
      const mail = await ask(tool, 'example.test', 'MX');
      expect(mail).toMatch(/status: NOERROR/);
      expect(mail).toMatch(/flags: qr aa rd; /i);
      expect(mail).toMatch(/mail\.example\.test\.\s+300\s+IN\s+A\s+192\.0\.2\.25/);
      expect(await ask(tool, 'nowhere.example.test', 'A')).toMatch(/status: NXDOMAIN/);
      expect(await ask(tool, 'elsewhere.invalid', 'A')).toMatch(/status: REFUSED/);
      expect(await ask(tool, 'example.test', 'AXFR').catch(String)).toMatch(/failed|REFUSED/i);
      expect(await ask(tool, 'example.test', 'ANY', '+notcp')).toMatch(/HINFO\s+"RFC8482"/);
    },
  );
});

describe.each(['dig', 'kdig'])('%s', (tool) => {
  test.skipIf(!requireTool(tool)).each(Object.entries(OF_EACH_TYPE))(
    'reads our %s record',
    async (type, value) => {
      const [line = '', ...more] = (await ask(tool, '+short', `${type}.each.example.test`, type))
        .trim()
        .split('\n');
      expect(more).toEqual([]);
      // An older kdig has no words for service bindings, but octets.
      const isUnknown = line.startsWith('\\#');
      if (isUnknown) expect(['HTTPS', 'SVCB']).toContain(type);
      else expect(readValue(type as RecordType, line)).toEqual({ ok: true, text: value });
    },
  );

  test.skipIf(!requireTool(tool))('sees an ALIAS as addresses', async () => {
    expect(await ask(tool, '+short', 'flat.example.test', 'A')).toBe('192.0.2.25\n');
    expect(await ask(tool, '+short', 'flat.example.test', 'TYPE65401')).toBe('');
  });
});

/** Arguments for the zone `{}`, in the folder of the zones' files. */
const CHECKERS = [
  { tool: 'named-checkzone', args: ['-i', 'local', '{}', '{}.zone'] },
  { tool: 'kzonecheck', args: ['-o', '{}', '{}.zone'] },
  { tool: 'nsd-checkzone', args: ['{}', '{}.zone'] },
];
const HAS_CHECKERS = CHECKERS.map(({ tool }) => requireTool(tool)).every(Boolean);

/** What a checker complains about; `xargs` starts a thousand processes faster than we would. */
async function complaintsOf({ tool, args }: (typeof CHECKERS)[number], domains: readonly string[]) {
  const xargs = run('xargs', ['-P2', '-I{}', '--', tool, ...args], { cwd: folder, maxBuffer: 2 ** 26 });
  xargs.child.stdin?.end(domains.join('\n'));
  const failed = (error: { stdout: string; stderr: string }) => error;
  const { stdout, stderr, ...error } = await xargs.catch(failed);
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => !/^OK$|loaded serial|is ok$/.test(line));
  return 'code' in error ? [`${tool} failed`, ...lines] : [];
}

async function writeZone(zone: ZoneData): Promise<void> {
  await writeFile(join(folder, `${zone.domain}.zone`), zoneFile(zone, NAME_SERVERS));
}

describe.skipIf(!HAS_CHECKERS)('zones as they are served', () => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

  test(`${ZONES} of TEST_SEED=${seed} pass three checkers`, async () => {
    const random = randomFrom(seed);
    const zones = Array.from({ length: ZONES }, (_, index) => makeZone(index, random));
    for (const zone of zones) await writeZone(zone);
    const domains = zones.map(({ domain }) => domain);
    for (const checker of CHECKERS) expect(await complaintsOf(checker, domains)).toEqual([]);
  }, 300_000);

  test('the checkers complain where a zone is wrong', async () => {
    const zone = makeZone(0, randomFrom(seed));
    const alias = { owner: `host.${zone.domain}`, type: 'CNAME', value: zone.domain, ttl: 60 } as const;
    await writeZone({ ...zone, records: [...zone.records, alias] });
    for (const checker of CHECKERS) expect(await complaintsOf(checker, [zone.domain])).not.toEqual([]);
  });
});
