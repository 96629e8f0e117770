import type { contract } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import { INSTALLATION } from '../../platform/audit.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { exportChain } from './export.ts';
import { listRecords, readChain } from './list.ts';
import { createSealer } from './sealer.ts';
import { sweepRecords } from './sweep.ts';

/** Searches of one person in a minute. */
const SEARCHES = 30;

/** Whether somebody is in another's personal workspace, which has its person's log-ins on record. */
function isGuest({ user, workspace }: UserContext): boolean {
  return workspace?.personal === true && workspace.id !== user.id;
}

/** Who did what: reads the records that each change writes, and chains them. */
export function createAudit({
  db,
  log,
  callCounts,
}: Pick<Platform, 'db' | 'log' | 'callCounts'>): Domain<typeof contract.audit> {
  /** A search of words reads many records. */
  async function admit(
    { user }: UserContext,
    { search }: { search?: string | undefined } = {},
  ): Promise<void> {
    if (search) await callCounts.count({ key: `audit-search:${user.id}`, calls: SEARCHES, seconds: 60 });
  }

  const sealer = createSealer({ db, log });
  return {
    handlers: {
      async list({ ctx, input }) {
        await admit(ctx, input);
        return listRecords(ctx.db, ctx.ownerId, input, { withoutLogIns: isGuest(ctx) });
      },
      chain: ({ ctx }) => readChain(ctx.db, ctx.ownerId),
      export: ({ ctx, input }) => {
        // Without some of its records a chain cannot be checked.
        if (isGuest(ctx))
          throw forbidden('FORBIDDEN', 'Only whose workspace this is can export its activity.');
        return exportChain(ctx.db, ctx.ownerId, input.format);
      },
      async installation({ ctx, input: { everyone = false, ...filter } = {} }) {
        await admit(ctx, filter);
        return listRecords(ctx.db, everyone ? null : INSTALLATION, filter);
      },
      installationChain: ({ ctx }) => readChain(ctx.db, INSTALLATION),
      installationExport: ({ ctx, input }) => exportChain(ctx.db, INSTALLATION, input.format),
    },
    sweeps: { audit: () => sweepRecords(db) },
    start: () => sealer.start(),
    stop: () => sealer.stop(),
  };
}
