import { z } from 'zod';
import { LogStream } from './deployments.ts';
import { bytes, query, subscription } from './kit.ts';
import { ById, Id, pageLimit } from './page.ts';
import { optionalLine } from './text.ts';

/** A line that a running app wrote. */
export const LogLine = z.object({
  /** Its number in the project's log: later lines have greater ones. */
  line: z.int(),
  at: z.iso.datetime(),
  stream: LogStream,
  /** For example `web`; null for what the platform says of the whole app. */
  process: z.string().nullable(),
  /** From 1. */
  instance: z.int().nullable(),
  deploymentId: Id.nullable(),
  /** Without its newline; ANSI sequences kept, secrets masked. */
  text: z.string(),
});
export type LogLine = z.output<typeof LogLine>;

/** A page of a project's log, oldest line first. */
export const LogLines = z.object({
  lines: z.array(LogLine),
  /** What to ask for the lines `before` these; null where none are left. */
  older: z.int().nullable(),
  /** What to ask for the lines `after` these, which can also be none yet. */
  newer: z.int(),
  /** Where a search stopped before it had looked through the whole log; it goes on with `older` or `newer`. */
  stoppedAt: z.iso.datetime().nullable(),
});
export type LogLines = z.output<typeof LogLines>;

/** Lines that came, and how many were left out because they came faster than they could be sent. */
export const LogNews = z.object({ lines: z.array(LogLine), skipped: z.int() });
export type LogNews = z.output<typeof LogNews>;

/** A process that a project's log has lines of, and its instances. */
const LogSource = z.object({ process: z.string(), instances: z.array(z.int()) });

/** Lines that one request gets at most. */
export const MAX_LOG_PAGE = 1000;

const LINE = 'Must be the number of a line.';
/** From 0. */
const LineNumber = z.int(LINE).min(0, LINE).optional();
const Instant = z.iso
  .datetime({ offset: true, error: 'Must be an instant like 2026-11-22T17:00:00Z.' })
  .optional();

/** Which lines of a project's log; all of them where nothing is said. */
export const LogFilter = z.object({
  search: optionalLine(200, 'Search').optional().describe('Text to find in a line, ignoring case'),
  /** One process; without it, all, and what the platform says of the whole app. */
  process: optionalLine(60, 'Process').optional(),
  /** From 1. */
  instance: z.int('Instance must be a whole number.').min(1, 'Instance must be at least 1.').optional(),
  stream: LogStream.optional(),
  /** The earliest instant, included; without it, from the oldest line that is kept. */
  since: Instant,
  /** The latest instant, included; without it, to the newest line. */
  until: Instant,
});
export type LogFilter = z.output<typeof LogFilter>;

export const logRows = {
  logs: query({
    summary:
      'Lines that a running app wrote: the newest ones, those before a line, or those after one. A search that takes long says where it stopped',
    route: 'GET /api/projects/{id}/logs',
    perMinute: 120,
    forAssistant: true,
    input: ById.extend({
      ...LogFilter.shape,
      /** Lines before this one, newest first sought; without it and `after`, the newest ones. */
      before: LineNumber,
      /** Lines after this one, which is left out; it wins over `before`. */
      after: LineNumber,
      /** Lines, from 1 to `MAX_LOG_PAGE`. */
      limit: pageLimit(MAX_LOG_PAGE).default(200),
    }),
    output: LogLines,
  }),
  logSources: query({
    summary: "Processes that a project's log has lines of",
    route: 'GET /api/projects/{id}/logs/sources',
    input: ById,
    output: z.array(LogSource),
  }),
  logFile: bytes({
    summary: "A project's log as text, oldest line first",
    route: 'GET /api/projects/{id}/logs/download',
    perMinute: 20,
    input: ById.extend(LogFilter.shape),
    gives: { type: 'text/plain', what: 'The log' },
  }),
  /** Each event's id is the line that it reaches, so a reader resumes where it left off. */
  newLogs: subscription({
    summary: 'Lines that a running app writes from now on, or after a line',
    input: ById.extend({
      ...LogFilter.omit({ since: true, until: true }).shape,
      after: LineNumber,
      lastEventId: z.string().optional(),
    }),
    output: LogNews,
  }),
};
