import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wholeName } from '@nephos/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { Refusal } from '../../src/core/errors.ts';
import { zoneFile } from '../../src/domains/dns/server/zone-file.ts';
import { assertZone, type ZoneRecord } from '../../src/domains/dns/zone-rules.ts';
import type { Answer, Person, World } from '../world.ts';
import { createRecordsWorld, everything, tryAdd } from './dns-records.ts';
import { faultsOf } from './zone-checker.ts';

const DOMAIN = 'example.test';

/** Few, so that records meet. */
const name = fc.constantFrom('@', 'a', 'b', 'c', 'b.c', 'a.b.c', '*', '*.c', '*.b.c');
const host = fc
  .oneof(
    name.filter((one) => !one.startsWith('*')),
    fc.constant('x.y.c'),
  )
  .map((one) => wholeName(one, DOMAIN));
const target = fc.oneof(
  { arbitrary: host, weight: 3 },
  fc.constantFrom('ns.other.test', 'a.notexample.test'),
);
const ttl = fc.oneof({ arbitrary: fc.constant(3600), weight: 4 }, fc.constant(60));

const typed = fc.oneof(
  fc.tuple(fc.constant('A' as const), fc.constantFrom('192.0.2.1', '192.0.2.2')),
  fc.tuple(fc.constant('AAAA' as const), fc.constant('2001:db8::1')),
  fc.tuple(fc.constant('CNAME' as const), target),
  fc.tuple(
    fc.constant('MX' as const),
    fc.oneof({ arbitrary: target.map((one) => `10 ${one}`), weight: 5 }, fc.constant('0 .')),
  ),
  fc.tuple(fc.constant('NS' as const), target),
  fc.tuple(fc.constant('TXT' as const), fc.constantFrom('a', 'b')),
  fc.tuple(
    fc.constant('SRV' as const),
    target.map((one) => `1 2 3 ${one}`),
  ),
  fc.tuple(fc.constant('DS' as const), fc.constant(`60485 13 2 ${'d4'.repeat(32)}`)),
  // Within the zone: what else is served, no rule of zones decides.
  fc.tuple(fc.constant('ALIAS' as const), host),
);
const record = fc
  .tuple(name, typed, ttl)
  .map(([owner, [recordType, value], time]): ZoneRecord => ({ name: owner, recordType, value, ttl: time }));

const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), record }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat(), record }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
);

function isRefused(records: readonly ZoneRecord[]): boolean {
  try {
    assertZone(DOMAIN, records);
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

describe('the rules of a zone', () => {
  /** The records that can join those before them, one after the other. */
  function joinable(records: readonly ZoneRecord[]): ZoneRecord[] {
    const zone: ZoneRecord[] = [];
    for (const next of records) if (!isRefused([...zone, next])) zone.push(next);
    return zone;
  }

  const many = fc.array(record, { maxLength: 30 });

  test('let a record join the others where that makes no fault, and only there', () => {
    fc.assert(
      fc.property(many, record, (records, next) => {
        const joined = [...joinable(records), next];
        expect(isRefused(joined)).toBe(faultsOf(DOMAIN, joined).length > 0);
      }),
      { numRuns: 2000 },
    );
  });

  test('let a record leave the others where that makes no fault, and only there', () => {
    fc.assert(
      fc.property(many, fc.nat(), (records, which) => {
        const zone = joinable(records);
        zone.splice(which % Math.max(zone.length, 1), 1);
        expect(isRefused(zone)).toBe(faultsOf(DOMAIN, zone).length > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('reach every fault', () => {
    const found = new Set(
      fc
        .sample(fc.array(record, { maxLength: 12 }), { numRuns: 2000, seed: 1 })
        .flatMap((one) => faultsOf(DOMAIN, one)),
    );
    expect([...found].sort()).toEqual([
      'ALIAS and an address',
      'ALIAS into a delegation',
      'ALIAS out of the zone',
      'CNAME and another record',
      'CNAME at the apex',
      'DS at the apex',
      'DS without delegation',
      'NS at a wildcard',
      'alias loop',
      'data below a delegation',
      'mail beside none',
      'no glue',
      'target is a CNAME',
      'twice the same',
      'two ALIASes',
      'two TTLs in a set',
    ]);
  });
});

describe('any changes, one after the other', () => {
  let world: World;
  let ada: Person;
  let folder: string;

  beforeAll(async () => {
    ({ world, ada } = await createRecordsWorld());
    folder = await mkdtemp(join(tmpdir(), 'nephos-zones-'));
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  type Change = typeof operation extends fc.Arbitrary<infer T> ? T : never;
  type State = Awaited<ReturnType<typeof everything>>;

  async function attempt(change: Change, { records }: State): Promise<Answer | undefined> {
    if (change.kind === 'add') return tryAdd(ada, change.record);
    const there = records[change.which % Math.max(records.length, 1)];
    if (!there) return undefined;
    if (change.kind === 'remove') return ada.rest(`DELETE /api/dns/${there.id}`);
    const { name: owner, value, ttl: time } = change.record;
    const fits = there.recordType === change.record.recordType;
    const body = { name: owner, ttl: time, ...(fits && { value }) };
    return ada.rest(`PATCH /api/dns/${there.id}`, { body });
  }

  async function assertStep(change: Change, before: State): Promise<State> {
    const answer = await attempt(change, before);
    const after = await everything(world);
    if (!answer || answer.status >= 400) {
      expect(answer?.status ?? 409).toBe(409);
      expect(after).toEqual(before);
    } else if (after.zones.length > 0 && JSON.stringify(after) !== JSON.stringify(before)) {
      expect(after.zones[0]?.serial).toBeGreaterThan(before.zones[0]?.serial ?? 0);
    }
    expect(after.zones).toHaveLength(after.records.length > 0 ? 1 : 0);
    expect(faultsOf(DOMAIN, after.records)).toEqual([]);
    return after;
  }

  const named = requireTool('named-checkzone');

  /** What `named` would not load, or would complain of; that mail goes to a name without address is allowed. */
  async function complaintsOf({ zones, records }: State): Promise<string[]> {
    const file = join(folder, 'zone');
    const data = records.map(({ name: owner, recordType, value, ttl: time }) => ({
      owner: wholeName(owner, DOMAIN),
      ttl: time,
      // An ALIAS is ours alone; others see addresses.
      ...(recordType === 'ALIAS'
        ? ({ type: 'A', value: '192.0.2.9' } as const)
        : { type: recordType, value }),
    }));
    const zone = { domain: DOMAIN, serial: zones[0]?.serial ?? 1, records: data };
    await writeFile(file, zoneFile(zone, ['ns1.nephos.example']));
    const { stdout } = await promisify(execFile)('named-checkzone', ['-i', 'local', DOMAIN, file], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
    return stdout
      .split('\n')
      .filter(
        (line) =>
          line !== '' && line !== 'OK' && !/loaded serial|(MX|SRV) .* has no address records/.test(line),
      );
  }

  test('leave a zone without a fault; what is refused changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 30 }), async (changes) => {
        await world.deps.db.deleteFrom('dnsZones').execute();
        let state = await everything(world);
        for (const change of changes) state = await assertStep(change, state);
        if (named && state.records.length > 0) expect(await complaintsOf(state)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
