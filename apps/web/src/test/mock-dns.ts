import { type DnsRecord, type DnsZone, dns } from '@nephos/contracts';
import { found, implement } from './mock-implement.ts';
import { type MockWorld, mockRecord } from './mock-world.ts';

/** What proves the ownership of every pending domain. */
export const MOCK_PROOF = 'nephos-proof-4f2a9c81';

function zonesOf({ records, pendingDomains }: MockWorld): DnsZone[] {
  const domains = [...new Set(records.map(({ domain }) => domain))].sort();
  return domains.map((domain) => {
    const pending = pendingDomains.includes(domain);
    return {
      domain,
      recordCount: records.filter((record) => record.domain === domain).length,
      serial: 1,
      status: pending ? 'pending' : 'active',
      verification: pending ? { name: `_cloud-verify.${domain}`, value: MOCK_PROOF } : null,
    };
  });
}

function answerLine({ domain, name, ttl, recordType, value }: DnsRecord): string {
  const owner = name === '@' ? domain : `${name}.${domain}`;
  return `${owner}.\t${ttl}\tIN\t${recordType}\t${value}`;
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
    if (world.proofSeen) world.pendingDomains = world.pendingDomains.filter((name) => name !== input.domain);
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
  nameServer: ({ ctx }) => ctx.world.nameServer,
});
