import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { createReportCommit, type ReportCommit, type StatusJob } from './report-commit.ts';
import { getCommitStatus } from './service.ts';
import { endedUntold, type TellParts, tellHost } from './tell-host.ts';

/** Hosts that are told at once. */
const AT_ONCE = 4;
/** Seconds that one call may take, beyond its own patience. */
const EXPIRES = 60;
/** A host that is away is asked again for about ten minutes. */
const RETRIES = 10;
const LONGEST_PAUSE = 120;

/** What Git hosts are told of commits that were deployed from them. */
export function createCommitStatuses(
  parts: Pick<Platform, 'settings' | 'db' | 'secrets' | 'jobs'> & Pick<TellParts, 'appAddress'>,
): Domain<typeof contract.commitStatuses> & { reportCommit: ReportCommit } {
  const queue = parts.jobs.queue<StatusJob>(
    'commit-statuses',
    {
      concurrency: AT_ONCE,
      expireInSeconds: EXPIRES,
      retryLimit: RETRIES,
      longestPause: LONGEST_PAUSE,
      oneAtATimePerGroup: true,
    },
    (job, signal) => tellHost(parts, job, signal),
  );
  const tellEnded = async () => {
    for (const job of await endedUntold(parts.db)) {
      await queue.enqueue(parts.db, job, { group: job.projectId });
    }
  };
  return {
    reportCommit: createReportCommit(queue),
    handlers: { get: ({ ctx, input }) => getCommitStatus(ctx, input.id) },
    sweeps: { commitStatuses: tellEnded },
    resume: tellEnded,
  };
}
