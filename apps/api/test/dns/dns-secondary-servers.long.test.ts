import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DnsTransferKey } from '@nephos/contracts';
import { decode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { rcodeName } from '../../src/domains/dns/server/protocol.ts';
import type { Person } from '../world.ts';
import {
  createDnsWorld,
  type DnsWorld,
  NAME_SERVERS,
  packetOf,
  rcodeOf,
  recordText,
  sendUdp,
} from './dns-world.ts';

const domain = 'example.test';
const LOOPBACK = '127.0.0.1';
const PATIENCE = 30_000;
const env = { PATH: `${process.env.PATH}:/usr/sbin` };
const run = promisify(execFile);

/** What a name server needs to be a secondary of ours. */
interface Place {
  folder: string;
  port: number;
  primary: number;
  key: Pick<DnsTransferKey, 'name' | 'secret'>;
}

const SERVERS = {
  nsd: {
    arguments: (file: string) => ['-d', '-c', file],
    configuration: ({ folder, port, primary, key }: Place) => `
server:
  ip-address: ${LOOPBACK}@${port}
  username: ""
  database: ""
  zonesdir: "${folder}"
  pidfile: "${folder}/pid"
  xfrdfile: "${folder}/xfrd"
  zonelistfile: "${folder}/zones"
  verbosity: 2
remote-control:
  control-enable: no
key:
  name: "${key.name}"
  algorithm: hmac-sha256
  secret: "${key.secret}"
zone:
  name: "${domain}"
  zonefile: "zone"
  request-xfr: ${LOOPBACK}@${primary} ${key.name}
  allow-notify: ${LOOPBACK} ${key.name}
`,
  },
  knotd: {
    arguments: (file: string) => ['-c', file],
    configuration: ({ folder, port, primary, key }: Place) => `
server:
  listen: ${LOOPBACK}@${port}
  rundir: "${folder}"
database:
  storage: "${folder}"
log:
  - target: stderr
    any: info
key:
  - id: ${key.name}
    algorithm: hmac-sha256
    secret: ${key.secret}
remote:
  - id: primary
    address: ${LOOPBACK}@${primary}
    key: ${key.name}
acl:
  - id: notify
    address: ${LOOPBACK}
    key: ${key.name}
    action: notify
zone:
  - domain: ${domain}
    storage: "${folder}"
    master: primary
    acl: notify
`,
  },
};

const RECORDS = [
  ...['@ 300 NS ns.secondary.test', '@ 300 MX 10 mail.example.test', 'mail 300 A 192.0.2.25'],
  ...[
    'alias 600 CNAME mail.example.test',
    'text 300 TXT say "hi" \\ back; grüße',
    '*.wild 60 AAAA 2001:db8::1',
  ],
  ...[`long 300 TXT ${'x'.repeat(3000)}`, '_sip._tcp 300 SRV 10 5 5060 mail.example.test'],
  ...['@ 300 CAA 0 issue "ca.example"', 'svc 300 HTTPS 1 . alpn=h2 port=8443'],
  ...[
    'sub 300 NS ns.sub.example.test',
    'ns.sub 300 A 192.0.2.53',
    `sub 300 DS 60485 13 2 ${'d4'.repeat(32)}`,
  ],
  ...Array.from({ length: 900 }, (_, i) => `n${i} 300 TXT ${'y'.repeat(60)}${i}`),
];
const QUESTIONS = [
  ...['example.test SOA', 'example.test NS', 'example.test MX', 'example.test A', 'example.test CAA'],
  ...[
    'alias.example.test CNAME',
    'text.example.test TXT',
    'any.wild.example.test AAAA',
    'n899.example.test TXT',
  ],
  ...['_sip._tcp.example.test SRV', 'svc.example.test UNKNOWN_65', 'sub.example.test DS', 'n.example.test A'],
];

let world: DnsWorld;
let ada: Person;
let key: DnsTransferKey;
const stops: (() => Promise<unknown>)[] = [];

async function answersOf(port: number, question: string): Promise<string[]> {
  const answer = await sendUdp(port, packetOf(question));
  return [rcodeName(rcodeOf(answer)), ...(decode(answer).answers ?? []).map(recordText).sort()];
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

/** Starts a secondary; what it logs so far. */
async function start(
  name: keyof typeof SERVERS,
  port: number,
  withKey: Place['key'] = key,
): Promise<() => string> {
  const folder = await mkdtemp(join(tmpdir(), `nephos-${name}-`));
  const file = join(folder, 'conf');
  const { configuration, arguments: argumentsFor } = SERVERS[name];
  await writeFile(file, configuration({ folder, port, primary: world.port, key: withKey }));
  const server = spawn(name, argumentsFor(file), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (log += chunk));
  stops.push(async () => {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  });
  return () => log;
}

/** The secondary at a port, as soon as it is so. */
async function until(port: number, isIt: (secondary: Shown, serial: number) => boolean, log: () => string) {
  for (const deadline = Date.now() + PATIENCE; ; await wait(50)) {
    const { serial, secondaries } = await ada.rpc.dns.secondaries.query({ domain });
    const secondary = secondaries.find((one) => one.port === port);
    if (secondary && isIt(secondary, serial)) return secondary;
    if (Date.now() > deadline) throw new Error(`${JSON.stringify(secondary)} of ${serial}\n${log()}`);
  }
}

type Shown = Awaited<ReturnType<Person['rpc']['dns']['secondaries']['query']>>['secondaries'][number];
const isUpToDate = (secondary: Shown, serial: number) => secondary.serial === serial;

beforeAll(async () => {
  world = await createDnsWorld({ settings: { allowPrivateSecondaries: true } });
  ada = await world.as('Ada');
  world.deps.domains.dns.secondariesCare.start();
  await world.served(domain, await world.putZone(domain, RECORDS));
  key = await ada.rpc.dns.renewTransferKey.mutate({ domain });
});
afterAll(async () => {
  await Promise.all(stops.map((end) => end()));
  await world.close();
});

describe.each(['nsd', 'knotd'] as const)('%s', (name) => {
  test.skipIf(!requireTool(name))(
    'copies a zone, answers as we do, and follows what changes',
    { timeout: 2 * PATIENCE },
    async () => {
      const port = await freePort();
      const log = await start(name, port);
      const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port });
      await until(port, isUpToDate, log);
      const isSame = async () => {
        for (const question of QUESTIONS) {
          expect([question, await answersOf(port, question)]).toEqual([
            question,
            await answersOf(world.port, question),
          ]);
        }
      };
      await isSame();

      const record = await ada.rpc.dns.create.mutate({ domain, name: `new-${name}`, value: '192.0.2.77' });
      const began = performance.now();
      await until(port, isUpToDate, log);
      expect(performance.now() - began).toBeLessThan(10_000);
      const asked = `new-${name}.${domain} A`;
      expect(await answersOf(port, asked)).toEqual(['NOERROR', `new-${name}.${domain} 3600 A 192.0.2.77`]);
      await ada.rpc.dns.remove.mutate({ id: record.id });
      await until(port, isUpToDate, log);
      expect(await answersOf(port, asked)).toEqual(['NXDOMAIN']);
      await isSame();
      if (name === 'knotd') expect(log()).toMatch(/IXFR, incoming.*finished/);

      const alias = { recordType: 'ALIAS', value: `mail.${domain}` } as const;
      const { id: aliasId } = await ada.rpc.dns.create.mutate({ domain, ...alias });
      await until(port, isUpToDate, log);
      expect(await answersOf(port, `${domain} A`)).toEqual(['NOERROR', `${domain} 300 A 192.0.2.25`]);
      await ada.rpc.dns.remove.mutate({ id: aliasId });
      await until(port, isUpToDate, log);
      await isSame();

      await ada.rpc.dns.removeSecondary.mutate({ domain, id });
    },
  );

  test.skipIf(!requireTool(name))(
    'with another secret gets nothing, which is shown',
    { timeout: 2 * PATIENCE },
    async () => {
      const port = await freePort();
      const secret = Buffer.alloc(32, 9).toString('base64');
      const log = await start(name, port, { name: key.name, secret });
      const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port });
      const shown = await until(port, ({ problem }) => /answer/.test(problem), log);
      expect(shown).toMatchObject({ serial: null, failingSince: expect.any(String) });
      expect((await answersOf(port, `${domain} SOA`)).slice(1)).toEqual([]);
      await ada.rpc.dns.removeSecondary.mutate({ domain, id });
    },
  );
});

const SIGNED = [
  ...['mail.example.test A', 'any.wild.example.test AAAA', 'n899.example.test TXT', 'sub.example.test DS'],
  ...['mail.example.test MX', 'nowhere.example.test A', 'wild.example.test A', 'any.wild.example.test A'],
];

describe.each(['nsd', 'knotd'] as const)('%s', (name) => {
  test.skipIf(![name, 'delv'].map(requireTool).every(Boolean))(
    'serves what we have signed',
    { timeout: 2 * PATIENCE },
    async () => {
      const port = await freePort();
      const log = await start(name, port);
      const { keys } = await ada.rpc.dns.sign.mutate({ domain });
      const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port });
      await until(port, isUpToDate, log);
      const folder = await mkdtemp(join(tmpdir(), 'nephos-anchor-'));
      const anchor = join(folder, 'anchor');
      const [tag, algorithm, digestType, digest] = keys[0]?.ds.split(' ') ?? [];
      const trusted = `"${domain}." static-ds ${tag} ${algorithm} ${digestType} "${digest}"`;
      await writeFile(anchor, `trust-anchors { ${trusted}; };\n`);
      const validate = async (question: string) => {
        const where = [`@${LOOPBACK}`, '-p', String(port), '-a', anchor, `+root=${domain}`];
        return (await run('delv', [...where, ...question.split(' ')])).stdout;
      };
      for (const question of SIGNED) expect(await validate(question)).toMatch(/fully validated/);
      const record = await ada.rpc.dns.create.mutate({ domain, name: 'later', value: '192.0.2.77' });
      await until(port, isUpToDate, log);
      expect(await validate(`later.${domain} A`)).toMatch(/fully validated/);
      await ada.rpc.dns.remove.mutate({ id: record.id });
      await ada.rpc.dns.unsign.mutate({ domain, anyway: true });
      await until(port, isUpToDate, log);
      await ada.rpc.dns.removeSecondary.mutate({ domain, id });
      await rm(folder, { recursive: true, force: true });
    },
  );
});

describe.each(['dig', 'kdig'])('%s', (tool) => {
  test.skipIf(!requireTool(tool))(
    'takes a whole transfer and an incremental one, and their signatures',
    async () => {
      const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: 1 });
      const ask = async (type: string, { name, secret }: Place['key'] = key) => {
        const words = ['-y', `hmac-sha256:${name}:${secret}`, `@${LOOPBACK}`, '-p', String(world.port)];
        const { stdout } = await run(tool, [...words, domain, type], { env, maxBuffer: 8 * 1024 * 1024 });
        return stdout;
      };
      const linesOf = (text: string) => text.split('\n').filter((line) => /^\S+\s+\d+\s+IN\s/.test(line));
      // The name server learns of a secondary a moment after it was added.
      const whole = await vi.waitFor(async () => {
        const answer = await ask('AXFR');
        expect(linesOf(answer)).toHaveLength(RECORDS.length + NAME_SERVERS.length + 2);
        return answer;
      }, 10_000);
      expect(whole).not.toMatch(/WARNING|failed|couldn't verify/i);
      const { serial } = await ada.rpc.dns.secondaries.query({ domain });
      const { id: recordId } = await ada.rpc.dns.create.mutate({ domain, name: 'one', value: '192.0.2.78' });
      await world.served(domain, (await ada.rpc.dns.secondaries.query({ domain })).serial);
      expect(linesOf(await ask(`IXFR=${serial}`)).length).toBeGreaterThan(0);
      await ada.rpc.dns.remove.mutate({ id: recordId });
      const other = { name: key.name, secret: Buffer.alloc(32, 9).toString('base64') };
      expect(await ask('AXFR', other).catch(String)).toMatch(/failed|BADSIG|NOTAUTH/i);
      await ada.rpc.dns.removeSecondary.mutate({ domain, id });
    },
  );
});
