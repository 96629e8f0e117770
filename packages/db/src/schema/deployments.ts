import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface DeploymentsTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  status: Generated<'queued' | 'building' | 'deploying' | 'running' | 'failed' | 'stopped' | 'cancelled'>;
  step: 'clone' | 'detect' | 'install' | 'build' | 'start' | 'health' | 'switch' | null;
  error: string | null;
  /** Settings as they were when it was queued. */
  repositoryUrl: string;
  branch: string;
  framework: 'nodejs' | 'static' | 'python';
  healthPath: string;
  commit: string | null;
  commitMessage: string | null;
  rollbackOf: string | null;
  releaseKept: Generated<boolean>;
  /** Set by Cancel; the runner obeys it. */
  cancelRequested: Generated<boolean>;
  /** How often a build of it was begun. */
  attempts: Generated<number>;
  logBytes: Generated<number>;
  createdAt: GeneratedInstant;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface DeploymentLogTable {
  deploymentId: string;
  /** Counts from 1 without gaps. */
  seq: number;
  stream: 'stdout' | 'stderr' | 'system';
  text: string;
  at: GeneratedInstant;
}
