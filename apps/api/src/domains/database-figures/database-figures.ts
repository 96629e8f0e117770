import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { readFigures } from './figures.ts';
import type { FiguresParts } from './find-observed.ts';
import { sweepSamples } from './samples.ts';
import { createSampling } from './sampling.ts';
import { listSessions, signalSession } from './sessions.ts';
import { listStatements, resetStatements, wake } from './statements.ts';

/** What people's PostgreSQL databases do, as their servers tell. */
export function createDatabaseFigures(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  parts: FiguresParts,
): Domain<typeof contract.databaseFigures> {
  const { observer } = parts.servers.postgresql;
  const sampling = observer && createSampling({ db, log, observer });
  return {
    handlers: {
      figures: ({ ctx, input }) => readFigures(ctx, input),
      statements: ({ ctx, input }) => listStatements(ctx, parts, input),
      resetStatements: ({ ctx, input, once }) => resetStatements(ctx, parts, input, once),
      sessions: ({ ctx, input }) => listSessions(ctx, parts, input),
      cancelSession: ({ ctx, input, once }) => signalSession(ctx, parts, { ...input, how: 'cancel' }, once),
      endSession: ({ ctx, input, once }) => signalSession(ctx, parts, { ...input, how: 'terminate' }, once),
      wake: ({ ctx, input }) => wake(ctx, parts, input),
    },
    sweeps: { databaseFigures: () => sweepSamples(db) },
    start: () => sampling?.start(),
    stop: () => sampling?.stop(),
  };
}
