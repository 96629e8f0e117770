import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ProjectsTable {
  id: Generated<string>;
  ownerId: string;
  name: string;
  description: string;
  repositoryUrl: string;
  branch: string;
  framework: 'nodejs' | 'static' | 'python';
  healthPath: Generated<string>;
  slug: string;
  /** Picks the unprivileged account that its code runs under. */
  account: Generated<number>;
  liveDeploymentId: string | null;
  createdAt: GeneratedInstant;
}

export interface ProjectVariablesTable {
  projectId: string;
  name: string;
  /** Sealed by the secrets box. */
  value: Buffer;
  updatedAt: GeneratedInstant;
}
