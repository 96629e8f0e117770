import { MAX_RECORDS_PER_ZONE } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Person, World } from '../world.ts';
import { add, addAll, atOnce, createRecordsWorld, everything, tryAdd } from './dns-records.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld({ settings: { dnsNameservers: ['ns1.nephos.test'] } }));
});
afterEach(() => world.deps.db.deleteFrom('dnsZones').execute());
afterAll(() => world.close());

const domain = 'example.test';
const plan = (file: string, mode?: 'merge' | 'replace', person = ada) =>
  person.rpc.dns.planImport.mutate({ domain, file, ...(mode && { mode }) });

/** The zone's records in short, sorted. */
async function stored(person = ada): Promise<string[]> {
  const records = await person.rpc.dns.list.query();
  return records.map((record) => `${record.name} ${record.ttl} ${record.recordType} ${record.value}`).sort();
}

const short = (records: readonly { name: string; ttl: number; recordType: string; value: string }[]) =>
  records.map(({ name, ttl, recordType, value }) => `${name} ${ttl} ${recordType} ${value}`);

const FILE = `$ORIGIN example.test.
$TTL 300
@ IN SOA ns1.nephos.test. hostmaster 1 2 3 4 5
@ NS ns1.nephos.test.
@ NS ns1.former.test.
www A 192.0.2.1
www A 192.0.2.3
mail A 192.0.2.25
@ MX 10 mail
@ ALIAS www
flat ALIAS www.elsewhere.test.
bad A 192.0.2.256
$INCLUDE more.zone
`;

const REFUSED = [
  {
    line: 5,
    text: '@ NS ns1.former.test.',
    reason: expect.stringMatching(/^Name servers of the domain itself/),
  },
  {
    line: 11,
    text: 'flat ALIAS www.elsewhere.test.',
    reason: expect.stringMatching(/^www.elsewhere.test isn't served/),
  },
  { line: 12, text: 'bad A 192.0.2.256', reason: expect.stringMatching(/^Enter an IPv4 address/) },
  { line: 13, text: '$INCLUDE more.zone', reason: expect.stringMatching(/^\$INCLUDE isn't supported/) },
];

describe('importing a zone file', () => {
  test('into a new domain says what it would add, and adds that alone', async () => {
    const shown = await plan(FILE);
    expect(shown).toMatchObject({ serial: 0, removed: [], changed: [], unchanged: 0, refused: REFUSED });
    expect(short(shown.added)).toEqual([
      'www 300 A 192.0.2.1',
      'www 300 A 192.0.2.3',
      'mail 300 A 192.0.2.25',
      '@ 300 MX 10 mail.example.test',
      '@ 300 ALIAS www.example.test',
    ]);
    expect(await everything(world)).toEqual({ zones: [], records: [] });
    const answer = await ada.rest('POST /api/dns-zones/example.test/import', {
      body: { file: FILE, serial: 0 },
    });
    expect(answer).toMatchObject({ status: 200, body: shown });
    expect(await ada.rpc.dns.list.query()).toHaveLength(5);
    expect(await ada.rpc.dns.zones.query()).toMatchObject([{ domain, recordCount: 5 }]);
  });

  test('merges it with what is there, or replaces that, in one change', async () => {
    await addAll(ada, [
      ['A', 'www', '192.0.2.1'],
      ['A', 'www', '192.0.2.2'],
      ['TXT', '@', 'stays'],
      ['A', 'mail', '192.0.2.25', 300],
    ]);
    const merged = await plan(FILE);
    expect(short(merged.added)).toEqual([
      'www 300 A 192.0.2.3',
      '@ 300 MX 10 mail.example.test',
      '@ 300 ALIAS www.example.test',
    ]);
    expect(merged).toMatchObject({ removed: [], unchanged: 2, refused: REFUSED });
    expect(merged.changed.map(({ value, formerTtl, ttl }) => [value, formerTtl, ttl]).sort()).toEqual([
      ['192.0.2.1', 3600, 300],
      ['192.0.2.2', 3600, 300],
    ]);
    await ada.rpc.dns.importZone.mutate({ domain, file: FILE, serial: merged.serial });
    expect(await stored()).toEqual([
      '@ 300 ALIAS www.example.test',
      '@ 300 MX 10 mail.example.test',
      '@ 3600 TXT stays',
      'mail 300 A 192.0.2.25',
      'www 300 A 192.0.2.1',
      'www 300 A 192.0.2.2',
      'www 300 A 192.0.2.3',
    ]);

    const replaced = await plan('www 60 A 192.0.2.1', 'replace');
    expect(replaced.serial).toBeGreaterThan(merged.serial);
    expect(replaced).toMatchObject({
      added: [],
      unchanged: 0,
      changed: [{ value: '192.0.2.1', formerTtl: 300, ttl: 60 }],
    });
    expect(replaced.removed).toHaveLength(6);
    const body = { file: 'www 60 A 192.0.2.1', mode: 'replace', serial: replaced.serial };
    expect((await ada.rest('POST /api/dns-zones/example.test/import', { body })).status).toBe(200);
    expect(await stored()).toEqual(['www 60 A 192.0.2.1']);

    const again = await plan('www 60 A 192.0.2.1', 'replace');
    expect(again).toMatchObject({ added: [], removed: [], changed: [], unchanged: 1, refused: [] });
    const before = await everything(world);
    await ada.rpc.dns.importZone.mutate({
      domain,
      file: 'www 60 A 192.0.2.1',
      mode: 'replace',
      serial: again.serial,
    });
    expect(await everything(world)).toEqual(before);
  });

  test('leaves out what the rules of zones refuse, by its line, and nothing else', async () => {
    await addAll(ada, [['CNAME', 'taken', 'www.other.test']]);
    const file = [
      'dev NS ns.dev',
      'ns.dev A 192.0.2.1',
      'dev DS 1 13 2 ab',
      `dev DS 1 13 2 ${'ab'.repeat(32)}`,
      'taken A 192.0.2.1',
      'www 60 A 192.0.2.1',
      'www 61 A 192.0.2.2',
      'sub.dev TXT x',
      'lost NS ns.lost',
      'a CNAME b',
      'b CNAME a',
    ].join('\n');
    const { added, refused, unchanged } = await plan(file);
    expect(short(added)).toEqual([
      'ns.dev 3600 A 192.0.2.1',
      'www 60 A 192.0.2.1',
      'dev 3600 NS ns.dev.example.test',
      'a 61 CNAME b.example.test',
      `dev 3600 DS 1 13 2 ${'ab'.repeat(32)}`,
    ]);
    expect(unchanged).toBe(1);
    expect(refused.map(({ line, reason }) => [line, reason.replace(/[:.] .*/, '')])).toEqual([
      [3, 'A digest of this type has 64 hexadecimal digits, not 2.'],
      [5, "taken.example.test can't have a CNAME record alongside A records."],
      [7, 'The other A records of www.example.test have a TTL of 60'],
      [
        8,
        "sub.dev.example.test can't have TXT records here because the NS records of dev.example.test delegate it to other name servers.",
      ],
      [
        9,
        'ns.lost.example.test needs an A or AAAA record because an NS record of lost.example.test points to it.',
      ],
      [11, 'The CNAME record of a.example.test would point back to itself.'],
    ]);
  });

  test('stays within the room of a domain, and soon says so', { timeout: 10_000 }, async () => {
    const file = Array.from({ length: MAX_RECORDS_PER_ZONE + 30 }, (_, i) => `n${i} A 192.0.2.1`).join('\n');
    const { added, refused } = await plan(file);
    expect(added).toHaveLength(MAX_RECORDS_PER_ZONE);
    expect(refused).toHaveLength(30);
    expect(refused.filter(({ reason }) => /^Not checked/.test(reason))).toHaveLength(25);
    expect(refused[0]).toMatchObject({ line: 2001, reason: 'A domain can have at most 2000 records.' });
  });

  test('tells some conflicts, and replaces nothing before they are resolved', async () => {
    const clash = (i: number) => [`n${i} CNAME a`, `n${i} A 192.0.2.1`];
    const file = (count: number) =>
      Array.from({ length: count }, (_, i) => clash(i))
        .flat()
        .concat('z A 192.0.2.1');
    const few = await plan(file(5).join('\n'), 'replace');
    expect(few.refused.map(({ reason }) => /can't have a CNAME record/.test(reason))).toEqual(
      Array(5).fill(true),
    );
    expect(few.added).toHaveLength(6);
    const many = file(8).join('\n');
    const { refused } = await plan(many);
    const [told, notChecked] = [refused.slice(0, 5), refused.slice(5)];
    expect(told.map(({ reason }) => /can't have a CNAME record/.test(reason))).toEqual(Array(5).fill(true));
    expect(notChecked.map(({ reason }) => /^Not checked/.test(reason))).toEqual(notChecked.map(() => true));
    expect(notChecked.length).toBeGreaterThanOrEqual(3);
    const importIt = (mode: string) =>
      ada.rest('POST /api/dns-zones/example.test/import', { body: { file: many, mode, serial: 0 } });
    expect(await importIt('replace')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Not all lines could be checked/), fields: [{ path: 'file' }] },
    });
    expect((await importIt('merge')).status).toBe(200);
  });

  test('is refused where the zone has changed since, where nothing is left, and to others', async () => {
    await add(ada);
    const { serial } = await plan('www A 192.0.2.1');
    const importIt = (person: Person, body: object) =>
      person.rest('POST /api/dns-zones/example.test/import', { body });
    await add(ada, { name: 'more' });
    const before = await everything(world);
    expect(await importIt(ada, { file: 'www A 192.0.2.1', serial })).toMatchObject({
      status: 409,
      body: { code: 'ZONE_CHANGED' },
    });
    const now = (await plan('x')).serial;
    expect(await importIt(ada, { file: 'x', mode: 'replace', serial: now })).toMatchObject({
      status: 400,
      body: { message: 'No record of the file can be imported to example.test.', fields: [{ path: 'file' }] },
    });
    expect(await importIt(ada, { file: '', serial: now })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'file' }] },
    });
    expect(await importIt(bob, { file: 'www A 192.0.2.1', serial: 0 })).toMatchObject({
      status: 409,
      body: { code: 'DOMAIN_TAKEN' },
    });
    expect(await importIt(bob, { file: 'www A 192.0.2.1', serial: now })).toMatchObject({
      status: 409,
      body: { code: 'ZONE_CHANGED' },
    });
    // Of what Ada has, Bob is told nothing.
    expect(await plan('www A 192.0.2.1', 'replace', bob)).toMatchObject({
      serial: 0,
      removed: [],
      unchanged: 0,
    });
    expect((await bob.rest('GET /api/dns-zones/example.test/zone-file')).status).toBe(404);
    expect(await everything(world)).toEqual(before);
  });

  test('into a domain that came to be meanwhile is refused, since nobody has looked at both', async () => {
    const importIt = (file: string) => () =>
      ada.rest('POST /api/dns-zones/example.test/import', { body: { file, serial: 0 } });
    const answers = await atOnce(world, domain, [importIt('a CNAME b'), importIt('a A 192.0.2.1')]);
    const [made, refused] = answers.sort((one, other) => one.status - other.status);
    expect(made?.status).toBe(200);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ZONE_CHANGED' } });
    expect(await ada.rpc.dns.list.query()).toHaveLength(1);
  });

  test('may have as many aliases to other domains as a file has room for', async () => {
    await add(bob, { domain: 'other.test' });
    const deep = 'a.'.repeat(118);
    const file = Array.from({ length: 600 }, (_, i) => `n${i} ALIAS ${deep}n${i}.other.test.`).join('\n');
    expect((await plan(file)).added).toHaveLength(600);
  });

  test('happens once per key', async () => {
    const call = () =>
      ada.rest('POST /api/dns-zones/example.test/import', {
        headers: { 'idempotency-key': 'import-1' },
        body: { file: 'www A 192.0.2.1', serial: 0 },
      });
    const first = await call();
    expect(first.status).toBe(200);
    expect((await call()).body).toEqual(first.body);
  });
});

test('an export is of one moment, also while records are added', async () => {
  await add(ada, { name: 'first' });
  let isAdding = true;
  const exports: string[] = [];
  const exporting = async () => {
    while (isAdding) exports.push((await ada.rest('GET /api/dns-zones/example.test/zone-file')).text);
  };
  const running = Promise.all([exporting(), exporting(), exporting()]);
  for (let i = 0; i < 25; i += 1) await add(ada, { name: `n${i}` });
  isAdding = false;
  await running;
  const serials = (await ada.rpc.dns.changes.query({ limit: 26 })).map(({ serial }) => serial).toReversed();
  for (const file of exports) {
    const [soa = '', ...lines] = file.trim().split('\n');
    const records = lines.filter((line) => / IN A /.test(line));
    expect(records).toHaveLength(1 + serials.indexOf(Number(soa.split(' ')[6])));
  }
});

test('an exported domain is imported again as it was', async () => {
  await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['TXT', '@', 'say "hi"; ü'],
    ['NS', '@', 'ns.other.test'],
    ['ALIAS', '@', 'www.example.test'],
    ['HTTPS', 'www', '1 . alpn=h2 dohpath=/q{?dns}'],
  ]);
  const answer = await ada.rest('GET /api/dns-zones/example.test/zone-file');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/dns; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('example.test.zone');
  expect(answer.text.split('\n')).toContain('example.test. 3600 IN TXT "say \\"hi\\"; \\195\\188"');
  expect(await plan(answer.text, 'replace')).toMatchObject({
    added: [],
    removed: [],
    changed: [],
    unchanged: 5,
    refused: [],
  });
  expect((await tryAdd(ada, { name: 'x' })).status).toBe(201);
});

test('a minute has room for six imports of one account, whatever comes of them', async () => {
  const { settings } = world.deps;
  settings.rateLimits = true;
  try {
    const importIt = (person: Person) =>
      person.rest('POST /api/dns-zones/example.test/import', {
        body: { file: 'www A 192.0.2.1', serial: 1 },
      });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await importIt(ada)).status);
    expect(statuses).toEqual([409, 409, 409, 409, 409, 409, 429]);
    // Looks are counted apart, and so is everybody else.
    expect((await plan('www A 192.0.2.1')).added).toHaveLength(1);
    expect((await importIt(bob)).status).toBe(409);
  } finally {
    settings.rateLimits = false;
  }
});
