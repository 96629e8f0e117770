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
