import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** What tells a project of pushes; a project without a row accepts nothing, and watches no path. */
export interface PushHooksTable {
  projectId: string;
  ownerId: string;
  /** Sealed by the secrets box; null where the hook is off. */
  secret: Buffer | null;
  enabledAt: string | null;
  /** Folders and files of which a push has to change one; none: any push deploys. */
  paths: Generated<string[]>;
}

/** Something that a push hook was told of, and what became of it. */
export interface PushDeliveriesTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  /** The sender's own id of it, which a repetition has as well; null where it has none. */
  deliveryId: string | null;
  sender: string;
  event: string;
  branch: string;
  commit: string;
  result: 'deployed' | 'ignored' | 'refused';
  reason: string;
  deploymentId: string | null;
  createdAt: GeneratedInstant;
}
