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

/** Whether somebody is in another's personal workspace, which has its person's log-ins on record. */
function isGuest({ user, workspace }: UserContext): boolean {
  return workspace?.personal === true && workspace.id !== user.id;
}

/** Who did what: reads the records that each change writes, and chains them. */
export function createAudit({ db, log }: Pick<Platform, 'db' | 'log'>): Domain<typeof contract.audit> {
  const sealer = createSealer({ db, log });
  return {
    handlers: {
      list: ({ ctx, input }) => listRecords(ctx.db, ctx.ownerId, input, { withoutLogIns: isGuest(ctx) }),
      chain: ({ ctx }) => readChain(ctx.db, ctx.ownerId),
      export: ({ ctx, input }) => {
        // Without some of its records a chain cannot be checked.
        if (isGuest(ctx))
          throw forbidden('FORBIDDEN', 'Only whose workspace this is can export its activity.');
        return exportChain(ctx.db, ctx.ownerId, input.format);
      },
      installation: ({ ctx, input: { everyone = false, ...filter } = {} }) =>
        listRecords(ctx.db, everyone ? null : INSTALLATION, filter),
      installationChain: ({ ctx }) => readChain(ctx.db, INSTALLATION),
      installationExport: ({ ctx, input }) => exportChain(ctx.db, INSTALLATION, input.format),
    },
    sweeps: { audit: () => sweepRecords(db) },
    start: () => sealer.start(),
    stop: () => sealer.stop(),
  };
}
