import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Batches } from '../../platform/batches.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { createSendBatches, type Send, type SendOutcome } from './gateway-send.ts';
import type { Rail } from './rail.ts';
import { createSettlement, type Settlement } from './settlement.ts';

/** What moves money and lives as long as the process. */
export interface Gateway {
  rail: Rail;
  sends: Batches<Send, SendOutcome>;
  settlement: Settlement;
}

export function createGateway(deps: { db: Kysely<Database>; jobs: Jobs; rail: Rail }): Gateway {
  return { rail: deps.rail, sends: createSendBatches(deps.db), settlement: createSettlement(deps) };
}
