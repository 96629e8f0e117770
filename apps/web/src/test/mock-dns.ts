import { type DnsRecord, type DnsSecondary, type DnsZone, dns, type ZoneKey } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { idOf, type MockWorld, mockRecord } from './mock-world.ts';

/** What proves the ownership of every pending domain. */
export const MOCK_PROOF = 'nephos-proof-4f2a9c81';

/** The secret of every transfer key. */
export const MOCK_KEY_SECRET = 'c2VjcmV0IG9mIGEga2V5';

export function mockSecondary(changes: Partial<DnsSecondary> = {}): DnsSecondary {
  return {
    ...{ id: crypto.randomUUID(), address: '192.0.2.53', port: 53 },
    ...{ serial: null, answeredAt: null, failingSince: null, problem: '' },
    ...changes,
  };
}

function zonesOf({ records, pendingDomains, unprovenDomains }: MockWorld): DnsZone[] {
  const domains = [...new Set(records.map(({ domain }) => domain))].sort();
  return domains.map((domain, index) => {
    const pending = pendingDomains.includes(domain);
    const lost = unprovenDomains.includes(domain);
    return {
      id: idOf(9400 + index),
      domain,
      recordCount: records.filter((record) => record.domain === domain).length,
      serial: 1,
      status: pending ? 'pending' : 'active',
      unprovenSince: lost ? '2026-11-02T12:00:00.000Z' : null,
      verification: pending || lost ? { name: `_cloud-verify.${domain}`, value: MOCK_PROOF } : null,
    };
  });
}

function answerLine({ domain, name, ttl, recordType, value }: DnsRecord): string {
  const owner = name === '@' ? domain : `${name}.${domain}`;
  return `${owner}.\t${ttl}\tIN\t${recordType}\t${value}`;
}

/** A key whose tag is `keyTag`. */
export function mockZoneKey(keyTag: number, changes: Partial<ZoneKey> = {}): ZoneKey {
  const dnskey = `257 3 13 key${keyTag}`;
  return { keyTag, state: 'active', until: null, ds: `${keyTag} 13 2 AB${keyTag}`, dnskey, ...changes };
}

export const dnsMock = implement(dns, {
  list: ({ ctx: { world }, input: { limit = 1000, cursor, domain } = {} }) => {
    const rows = world.records.filter((record) => domain === undefined || record.domain === domain);
    const from = cursor ? rows.findIndex(({ id }) => id === cursor) + 1 : 0;
    return rows.slice(from, from + limit);
  },
  create: ({ ctx: { world }, input }) => {
    const record = mockRecord({ ...input, id: crypto.randomUUID() });
    world.records = [record, ...world.records];
    return record;
  },
  update: ({ ctx: { world }, input }) => {
    const record = { ...found(world.records, input.id), ...input };
    world.records = world.records.map((other) => (other.id === input.id ? record : other));
    return record;
  },
  remove: ({ ctx: { world }, input }): { success: true } => {
    world.records = world.records.filter(({ id }) => id !== input.id);
    return { success: true };
  },
  answer: ({ ctx: { world }, input }) => ({
    served: true,
    milliseconds: 3,
    responseCode: 'NOERROR',
    answers: [answerLine(found(world.records, input.id))],
    reason: '',
    ...world.dnsAnswer,
  }),
  zones: ({ ctx }) => zonesOf(ctx.world),
  verify: ({ ctx: { world }, input }) => {
    if (world.proofSeen) {
      for (const list of ['pendingDomains', 'unprovenDomains'] as const) {
        world[list] = world[list].filter((name) => name !== input.domain);
      }
    }
    // A zone has records.
    return zonesOf(world).find(({ domain }) => domain === input.domain) as DnsZone;
  },
  zoneRecords: ({ ctx: { world }, input: { domain } }) => ({
    serial: 1,
    records: world.records.filter((record) => record.domain === domain),
  }),
  edit: ({ ctx: { world }, input: { domain } }) => ({
    ...{ id: crypto.randomUUID(), domain, kind: 'edit' as const, serial: 2, by: world.user?.email ?? null },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', added: [], addedCount: 0, removed: [], removedCount: 0 },
  }),
  planImport: ({ ctx }) => ctx.world.importPlan,
  importZone: ({ ctx }) => ctx.world.importPlan,
  changes: ({ ctx }) => ctx.world.dnsChanges,
  revertChange: ({ ctx: { world }, input }) => found(world.dnsChanges, input.id),
  signing: ({ ctx: { world }, input: { domain } }) => ({ domain, keys: world.zoneKeys }),
  parentDelegation: ({ ctx }) => ctx.world.parentDelegation,
  sign: ({ ctx: { world }, input: { domain } }) => {
    world.zoneKeys = [mockZoneKey(1001)];
    return { domain, keys: world.zoneKeys };
  },
  unsign: ({ ctx: { world }, input: { domain } }) => {
    world.zoneKeys = [];
    return { domain, keys: [] };
  },
  rollKey: ({ ctx: { world }, input: { domain } }) => {
    const until = '2026-02-03T10:00:00.000Z';
    world.zoneKeys = [...world.zoneKeys, mockZoneKey(1002, { state: 'incoming', until })];
    return { domain, keys: world.zoneKeys };
  },
  cancelRoll: ({ ctx: { world }, input: { domain } }) => {
    world.zoneKeys = world.zoneKeys.filter(({ state }) => state !== 'incoming');
    return { domain, keys: world.zoneKeys };
  },
  finishRoll: ({ ctx: { world }, input: { domain } }) => {
    const until = '2026-02-11T10:00:00.000Z';
    world.zoneKeys = [mockZoneKey(1002), mockZoneKey(1001, { state: 'retiring', until })];
    return { domain, keys: world.zoneKeys };
  },
  secondaries: ({ ctx: { world } }) => world.dnsSecondaries,
  addSecondary: ({ ctx: { world }, input: { address, port } }) => {
    const secondary = mockSecondary({ id: crypto.randomUUID(), address, port });
    world.dnsSecondaries.secondaries.push(secondary);
    return secondary;
  },
  removeSecondary: ({ ctx: { world }, input }) => {
    const { secondaries } = world.dnsSecondaries;
    world.dnsSecondaries.secondaries = secondaries.filter(({ id }) => id !== input.id);
    return success;
  },
  renewTransferKey: ({ ctx: { world } }) => {
    world.dnsSecondaries.key = { name: 'nephos-4f2a9c81', createdAt: new Date().toISOString() };
    return { name: 'nephos-4f2a9c81', algorithm: 'hmac-sha256' as const, secret: MOCK_KEY_SECRET };
  },
  nameServer: ({ ctx }) => ctx.world.nameServer,
});
