import { dns } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { askForRecord } from './answer.ts';
import { whereNameServerIs } from './name-servers.ts';
import { listRecords } from './records.ts';
import { addRecord, removeRecord, updateRecord } from './service.ts';
import { listZones, verifyZone } from './zone-list.ts';

export const dnsRouter = implement(dns, {
  list: ({ ctx, input }) => listRecords(ctx, input),
  create: ({ ctx, input }) => addRecord(ctx, input),
  update: ({ ctx, input }) => updateRecord(ctx, input),
  remove: ({ ctx, input }) => removeRecord(ctx, input.id),
  answer: ({ ctx, input }) => askForRecord(ctx, input.id),
  zones: ({ ctx }) => listZones(ctx),
  verify: ({ ctx, input }) => verifyZone(ctx, input),
  nameServer: ({ ctx }) => whereNameServerIs(ctx),
});
