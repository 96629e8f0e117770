import type { GeneratedInstant } from './auth.ts';

/** What a project's Git host was last told of a deployed commit; a project without a row told it nothing yet. */
export interface CommitStatusesTable {
  projectId: string;
  ownerId: string;
  deploymentId: string;
  state: 'pending' | 'success' | 'failure';
  /** Why the host does not show it, as a sentence; '' where it does. */
  problem: string;
  toldAt: GeneratedInstant;
}
