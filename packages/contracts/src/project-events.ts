import { z } from 'zod';
import { query, subscription } from './kit.ts';
import { ById, Id, Page } from './page.ts';

/** What happens to a project, as its list of events tells it. */
export const EVENT_KINDS = [
  'deployed',
  'rolled-back',
  'deploy-failed',
  'started',
  'restarted',
  'stopped',
  'crashed',
  'out-of-memory',
  'scaled',
  'cron-failed',
] as const;
export const EventKind = z.enum(EVENT_KINDS);
export type EventKind = z.output<typeof EventKind>;

/** Something that happened to a project. */
export const ProjectEvent = z.object({
  id: Id,
  projectId: Id,
  kind: EventKind,
  /** One sentence. */
  message: z.string(),
  deploymentId: Id.nullable(),
  /** Which process it is about, for example `web`; null where it is about the whole app. */
  process: z.string().nullable(),
  /** From 1. */
  instance: z.int().nullable(),
  exitCode: z.int().nullable(),
  /** What ended the process, for example `SIGKILL`. */
  signal: z.string().nullable(),
  /** The last lines that it wrote, secrets masked, without ANSI sequences; '' where there are none. */
  lastLines: z.string(),
  createdAt: z.iso.datetime(),
});
export type ProjectEvent = z.output<typeof ProjectEvent>;

/** Days that events are kept, and how many of a project at most. */
export const EVENT_DAYS = 90;
export const MAX_EVENTS = 1000;

export const eventRows = {
  events: query({
    summary: `What happened to a project, newest first: the last ${MAX_EVENTS.toLocaleString('en-US')} events of ${EVENT_DAYS} days`,
    route: 'GET /api/projects/{id}/events',
    forAssistant: true,
    input: ById.extend(Page.shape),
    output: z.array(ProjectEvent),
  }),
  /** An event's id is its own, so a reader resumes where it left off. */
  newEvents: subscription({
    summary: 'What happens to a project from now on',
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: ProjectEvent,
  }),
};
