import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import type { Queue } from '../../platform/jobs.ts';

/** What is to be told of a deployment is looked up when it is told. */
export interface StatusJob {
  projectId: string;
  deploymentId: string;
}

/** Has the commit's Git host told what became of a deployment, once the transaction is committed. */
export type ReportCommit = (
  trx: Kysely<Database>,
  deployment: { id: string; projectId: string },
) => Promise<void>;

/** Queues that for projects that have a token for their repository. Of one project, one after the other. */
export function createReportCommit(queue: Pick<Queue<StatusJob>, 'enqueue'>): ReportCommit {
  return async (trx, { id: deploymentId, projectId }) => {
    const project = await trx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', projectId)
      .where('repositoryCredentials', 'is not', null)
      .executeTakeFirst();
    if (!project) return;
    try {
      await queue.enqueue(trx, { projectId, deploymentId }, { group: projectId });
    } catch (error) {
      // The server stops, which must not keep a deployment from its end: the next start tells the host.
      if (!(error instanceof Refusal)) throw error;
    }
  };
}
