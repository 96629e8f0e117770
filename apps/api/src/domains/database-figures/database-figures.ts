import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Domain } from '../domain.ts';
import { readFigures } from './figures.ts';
import { sweepSamples } from './samples.ts';
import { createSampling } from './sampling.ts';

/** What people's PostgreSQL databases do, as their servers tell. */
export function createDatabaseFigures(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  { servers }: Pick<DatabasesParts, 'servers'>,
): Domain<typeof contract.databaseFigures> {
  const { observer } = servers.postgresql;
  const sampling = observer && createSampling({ db, log, observer });
  return {
    handlers: {
      figures: ({ ctx, input }) => readFigures(ctx, input),
    },
    sweeps: { databaseFigures: () => sweepSamples(db) },
    start: () => sampling?.start(),
    stop: () => sampling?.stop(),
  };
}
