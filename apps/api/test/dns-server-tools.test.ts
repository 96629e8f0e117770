import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../tools/require-tool.ts';
import { zoneFile } from '../src/domains/dns/server/zone-file.ts';
import { createDnsWorld, type DnsWorld, NAME_SERVERS } from './dns-world.ts';
import { makeZone, randomFrom } from './dns-zones.ts';

const run = promisify(execFile);
/** A thousand with `DNS_ZONES=1000`, which takes a minute. */
const ZONES = Number(process.env.DNS_ZONES ?? 150);
const TEXT = 'say "hi" \\ back; grüße';

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

/** Runs `work` over all, two at once. */
async function pool<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    [0, 1].map(async () => {
      for (const item of left) await work(item);
    }),
  );
}

const CHECKERS = [
  { tool: 'named-checkzone', args: (domain: string, file: string) => ['-q', '-i', 'local', domain, file] },
  { tool: 'kzonecheck', args: (domain: string, file: string) => ['-o', domain, file] },
  { tool: 'nsd-checkzone', args: (domain: string, file: string) => [domain, file] },
];

describe('zones as they are served', () => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
  const zones = (() => {
    const random = randomFrom(seed);
    return Array.from({ length: ZONES }, (_, index) => makeZone(index, random));
  })();
  const fileOf = (domain: string) => join(folder, `${domain}.zone`);

  beforeAll(() => pool(zones, (zone) => writeFile(fileOf(zone.domain), zoneFile(zone, NAME_SERVERS))));

  test.skipIf(!CHECKERS.every(({ tool }) => requireTool(tool)))(
    `${ZONES} pass three checkers`,
    async () => {
      const failures: string[] = [];
      await pool(zones, async ({ domain }) => {
        for (const { tool, args } of CHECKERS) {
          await run(tool, args(domain, fileOf(domain))).catch((error: { stdout: string; stderr: string }) =>
            failures.push(`${tool} ${domain} (TEST_SEED=${seed}): ${error.stdout}${error.stderr}`),
          );
        }
      });
      expect(failures).toEqual([]);
    },
    120_000,
  );

  test.skipIf(!CHECKERS.every(({ tool }) => requireTool(tool)))(
    'the checkers find what is wrong',
    async () => {
      const [zone] = zones;
      if (!zone) throw new Error('no zone');
      const record = { owner: `host.${zone.domain}`, type: 'CNAME', value: zone.domain, ttl: 60 } as const;
      await writeFile(
        fileOf('broken'),
        zoneFile({ ...zone, records: [...zone.records, record] }, NAME_SERVERS),
      );
      for (const { tool, args } of CHECKERS) {
        await expect(run(tool, args(zone.domain, fileOf('broken')))).rejects.toThrow();
      }
    },
  );
});
