import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ProjectEventsTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  kind:
    | 'deployed'
    | 'rolled-back'
    | 'deploy-failed'
    | 'started'
    | 'restarted'
    | 'stopped'
    | 'crashed'
    | 'out-of-memory'
    | 'scaled'
    | 'cron-failed';
  message: string;
  deploymentId: string | null;
  process: string | null;
  instance: number | null;
  exitCode: number | null;
  signal: string | null;
  lastLines: Generated<string>;
  createdAt: GeneratedInstant;
}

/** What a project's log has altogether. */
export interface ProjectLogsTable {
  projectId: string;
  /** Number of its newest line; the first was 1. */
  lastLine: number;
  /** UTF-8 of the lines that are kept. */
  bytes: number;
}

/** Neighbouring lines of a project's log. */
export interface ProjectLogBlocksTable {
  projectId: string;
  firstLine: number;
  lastLine: number;
  /** UTF-8 of its lines. */
  bytes: number;
  firstAt: string;
  lastAt: string;
  /** Whose lines are in it: process, instance and stream, with tabs between. */
  sources: string[];
  /** Whether it is small and to be joined with its neighbours. */
  loose: boolean;
  packed: Buffer;
}

/** What a process of a project used and did in a minute or an hour; '' is the app as a whole. */
export interface ProjectMetricsTable {
  projectId: string;
  process: string;
  width: 'minute' | 'hour';
  /** When it began. */
  at: string;
  requests: number;
  /** Answers of 500 and above. */
  errors: number;
  /** How many answers began within each bound of the histogram; without the zeros at its end. */
  latencies: number[];
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** Bytes of resident memory, of all samples together, and how many these are. */
  memorySum: number;
  memorySamples: number;
  memoryMax: number;
  /** Bytes; null where nobody looked. */
  disk: number | null;
}
