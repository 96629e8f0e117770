import { dns } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { mockRecord } from './mock-world.ts';

export const dnsMock = implement(dns, {
  list: ({ ctx }) => ctx.world.records,
  create: ({ ctx: { world }, input }) => {
    const record = mockRecord({ ...input, id: crypto.randomUUID() });
    world.records = [record, ...world.records];
    return record;
  },
  update: ({ ctx, input }) => Object.assign(found(ctx.world.records, input.id), input),
  remove: ({ ctx: { world }, input }) => {
    world.records = world.records.filter((record) => record.id !== input.id);
    return success;
  },
  answer: () => ({ served: true, milliseconds: 3, responseCode: 'NOERROR', answers: [], reason: '' }),
  zones: ({ ctx }) => ctx.world.zones,
  verify: ({ input }) => ({
    domain: input.domain,
    recordCount: 1,
    serial: 1,
    status: 'active' as const,
    verification: null,
  }),
  nameServer: ({ ctx }) => ctx.world.nameServer,
});
