import {
  EVENT_DAYS,
  type EventKind,
  MAX_EVENTS,
  MAX_PAGE,
  type Page,
  type ProjectEvent,
} from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { alertOfEvent } from './alert-of-event.ts';

/** "<project id> <event id>". Sent by a trigger, see migration 0035. */
const PROJECT_EVENT = 'project_event';
/** UTF-16 units that are kept of a process's last lines. */
const LAST_LINES_LENGTH = 8 * 1024;
const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What is said of an event; what is absent has no meaning for it. */
export interface NewEvent {
  projectId: string;
  kind: EventKind;
  /** One sentence. */
  message: string;
  deploymentId?: string | null;
  /** For example `web`. */
  process?: string | null;
  /** From 1. */
  instance?: number | null;
  exitCode?: number | null;
  signal?: string | null;
  /** What the process wrote last; of more than 8 Ki characters the end is kept. Secrets are masked already. */
  lastLines?: string;
}

/**
 * Adds to a project's list of events, in whatever transaction `db` is: one that has changed a deployment before holds the
 * project (`holdProject`). Nothing, where the project is gone.
 */
export async function recordEvent(db: Kysely<Database>, event: NewEvent): Promise<void> {
  const { projectId, deploymentId = null, process = null, instance = null } = event;
  const { exitCode = null, signal = null, lastLines = '' } = event;
  await atomically(db, async (trx) => {
    const { rows } = await sql<{ ownerId: string; name: string }>`
      with project as (
        select id, owner_id, name from projects where id = ${projectId} for key share of projects
      ), recorded as (
        insert into project_events
          (owner_id, project_id, kind, message, deployment_id, process, instance, exit_code, signal, last_lines)
        select owner_id, id, ${event.kind}, ${event.message},
          (select id from deployments where id = ${deploymentId}::uuid),
          ${process}, ${instance}::integer, ${exitCode}::integer, ${signal}, ${lastLines.slice(-LAST_LINES_LENGTH)}
        from project
      )
      select owner_id, name from project`.execute(trx);
    if (rows[0]) await alertOfEvent(trx, rows[0], event);
  });
}

/** A project's events, newest first. Throws 404. */
export async function listEvents(
  { db, ownerId }: UserContext,
  { id, limit = MAX_PAGE, cursor }: { id: string } & z.output<typeof Page>,
): Promise<ProjectEvent[]> {
  await assertProject(db, ownerId, id);
  return eventsOf(db, ownerId, id)
    .$if(cursor !== undefined, (all) => all.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What happens to a project from now on, or after the event `lastEventId`. */
export async function* followEvents(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id, lastEventId }: { id: string; lastEventId: string | undefined },
): AsyncGenerator<Tracked<ProjectEvent>> {
  await assertProject(db, ownerId, id);
  const concerns = (about: string) => about.startsWith(id);
  const follower = follow(notifications, { channels: [PROJECT_EVENT], concerns, signal });
  try {
    let last =
      lastEventId && EVENT_ID.test(lastEventId) ? lastEventId : await newestEvent({ db, ownerId }, id);
    do {
      const events = await eventsOf(db, ownerId, id)
        .where('id', '>', last)
        .orderBy('id')
        .limit(MAX_PAGE)
        .execute();
      for (const event of events) {
        last = event.id;
        yield { id: last, data: event };
      }
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}

async function newestEvent(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  projectId: string,
): Promise<string> {
  const [newest] = await eventsOf(db, ownerId, projectId).orderBy('id', 'desc').limit(1).execute();
  return newest?.id ?? NO_ID;
}

function eventsOf(db: Kysely<Database>, ownerId: string, projectId: string) {
  return db
    .selectFrom('projectEvents')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .select(['id', 'projectId', 'kind', 'message', 'deploymentId', 'process', 'instance'])
    .select(['exitCode', 'signal', 'lastLines', 'createdAt']);
}

/** Deletes events that are too old, and of each project those above what is kept. */
export async function sweepEvents(db: Kysely<Database>): Promise<void> {
  await sql`delete from project_events where created_at < now() - make_interval(days => ${EVENT_DAYS})`.execute(
    db,
  );
  // Materialized: the oldest that is kept is looked up once for each project, not for each event.
  await sql`
    with bounds as materialized (
      select id as project_id, (
        select kept.id from project_events kept where kept.project_id = projects.id
        order by kept.id desc offset ${MAX_EVENTS - 1} limit 1
      ) as oldest from projects
    )
    delete from project_events e using bounds
    where e.project_id = bounds.project_id and e.id < bounds.oldest`.execute(db);
}
