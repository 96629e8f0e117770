import type { AlertKind, EventKind } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import type { NewEvent } from './events.ts';

/** Events that somebody should look at. What fails of a cron job is told of the job. */
const RAISED: Partial<Record<EventKind, AlertKind>> = {
  'deploy-failed': 'deploy-failed',
  crashed: 'app-crashed',
  'out-of-memory': 'app-out-of-memory',
};
const CRASHES: readonly AlertKind[] = ['app-crashed', 'app-out-of-memory'];
/** Events after which the app runs, as somebody wanted it. */
const LIVE: ReadonlySet<EventKind> = new Set(['deployed', 'rolled-back', 'started', 'restarted']);

/** Raises the alert that an event is, or says that it is over, in the event's transaction. */
export async function alertOfEvent(
  trx: Kysely<Database>,
  { ownerId, name }: { ownerId: string; name: string },
  { projectId, kind, message, deploymentId, process }: NewEvent,
): Promise<void> {
  const raised = RAISED[kind];
  if (raised) {
    const page = raised === 'deploy-failed' && deploymentId ? `log?deployment=${deploymentId}` : 'logs';
    await raiseAlert(trx, {
      ...{ ownerId, kind: raised, text: message },
      subject: { kind: 'project', id: projectId, name },
      path: `/projects/${projectId}/${page}`,
    });
  } else if (LIVE.has(kind)) {
    // A process that runs again says nothing of a deployment that failed.
    const kinds: readonly AlertKind[] = process ? CRASHES : ['deploy-failed', ...CRASHES];
    await recoverAlerts(trx, { ownerId, kinds, subjectId: projectId });
  }
}
