import { type Database, isRetryable } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Owner } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordEvent } from '../observability/events.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import type { DeploymentsParts } from './deployments.ts';
import { queueNewest } from './service.ts';

export type CauseParts = Pick<DeploymentsParts, 'settings' | 'engine' | 'queue' | 'secrets' | 'findRecipe'> &
  Pick<Platform, 'log'>;

/** What deploys a project without anyone's asking for it. */
export interface Cause {
  owner: Owner;
  /** Its row is held. */
  project: Selectable<Database['projects']>;
  /** For example `Pushed ada/shop:latest`. */
  cause: string;
  /** Which commit of what was pushed to us; absent, the newest version is deployed. */
  commit?: string;
}

/** What was queued, or why nothing was, as a sentence. */
export type CauseOutcome = { deploymentId: string } | { reason: string };

/**
 * Queues a deployment as its owner would by Deploy, in a transaction that goes on where that is refused or fails: the
 * project's events say so then.
 */
export async function deployForCause(
  trx: Kysely<Database>,
  parts: CauseParts,
  { owner, project, cause, commit }: Cause,
): Promise<CauseOutcome> {
  await sql`savepoint deploying`.execute(trx);
  try {
    assertMayRunCode(parts.settings, owner, parts.engine.isolation(), { builds: project.image === '' });
    const { id } = await queueNewest(trx, parts, project, { cause, ...(commit !== undefined && { commit }) });
    await recordOwnWork(trx, {
      ownerId: project.ownerId,
      via: 'hook',
      procedure: 'deployments.create',
      subject: { kind: 'project', id: project.id, name: project.name },
      after: { cause, deploymentId: id },
    });
    await sql`release savepoint deploying`.execute(trx);
    return { deploymentId: id };
  } catch (error) {
    // The whole transaction is tried again.
    if (isRetryable(error)) throw error;
    await sql`rollback to savepoint deploying`.execute(trx);
    if (!(error instanceof Refusal))
      parts.log.error({ err: error, project: project.id }, 'a push deployed nothing');
    const reason = whyNot(parts, project, error);
    const message = `${cause}, which was not deployed: ${reason}`;
    await recordEvent(trx, { projectId: project.id, kind: 'deploy-failed', message });
    return { reason };
  }
}

function whyNot({ settings, engine }: CauseParts, { image }: Cause['project'], error: unknown): string {
  if (!(error instanceof Refusal)) return 'something went wrong on the server. Deploy it from here.';
  const isAway = settings.deployRuntime !== 'process' && image !== '' && !engine.containers().available;
  return isAway ? `${error.message} Deploy it when Docker is back.` : error.message;
}
