import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ProjectsTable {
  id: Generated<string>;
  ownerId: string;
  name: string;
  description: string;
  repositoryUrl: string;
  /** Where its source comes from while it has no repository: a folder of `apps/api/templates`. */
  template: 'full-stack' | 'node-api' | 'python-api' | 'react-site' | 'static-site' | 'status-page' | null;
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
