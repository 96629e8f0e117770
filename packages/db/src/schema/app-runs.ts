import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface CronJobsTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  name: string;
  /** A cron expression of five fields. */
  schedule: string;
  /** An IANA name. */
  timeZone: string;
  command: string;
  /** Seconds. */
  timeLimit: number;
  enabled: boolean;
  /** Whether the latest run that was missed is made up for. */
  catchUp: boolean;
  /** Null while it is off. */
  nextRunAt: string | null;
  createdAt: GeneratedInstant;
}

export interface AppRunsTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  /** Null for a command that a person typed. */
  jobId: string | null;
  kind: 'cron' | 'command';
  cause: 'schedule' | 'catch-up' | 'person';
  command: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'timed-out' | 'skipped' | 'missed' | 'cancelled';
  exitCode: number | null;
  error: string | null;
  /** Seconds. */
  timeLimit: number;
  /** When it was due. */
  scheduledFor: string | null;
  /** The installation that runs it, or ran it. */
  server: string | null;
  /** Until when that server has to say that it still runs it. */
  leaseUntil: string | null;
  /** Set by Cancel; the server that runs it obeys. */
  cancelRequested: Generated<boolean>;
  /** `seq` of the last piece of its log. */
  logSeq: Generated<number>;
  /** UTF-8 length of its log. */
  logBytes: Generated<number>;
  createdAt: GeneratedInstant;
  startedAt: string | null;
  finishedAt: string | null;
  /** Set by a trigger, which also notifies `app_run_changed` with "<project id> <run id> <status>". */
  changedAt: GeneratedInstant;
}

export interface AppRunLogTable {
  runId: string;
  /** Counts from 1 without gaps. */
  seq: number;
  stream: 'stdout' | 'stderr' | 'system';
  text: string;
  at: GeneratedInstant;
}
