import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

type WorkspaceRole = 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';

/** Whose everything is. Triggers make each person's own, under the person's id, and delete it with them. */
export interface WorkspacesTable {
  id: Generated<string>;
  /** Null for a personal one that is called as its person is. */
  name: string | null;
  handle: string;
  personal: Generated<boolean>;
  /** Whether its members have to have a second factor. */
  demandsSecondFactor: Generated<boolean>;
  createdAt: GeneratedInstant;
  /** Since when it is being deleted: it has no members any more. */
  closingSince: string | null;
  /** When all that it had was gone; only one that was charged, or has an account of the ledger, is kept after that. */
  closedAt: string | null;
}

export interface WorkspaceMembersTable {
  workspaceId: string;
  userId: string;
  role: WorkspaceRole;
  /** Whether a provider's group made them a member, and decides on it. */
  fromGroup: Generated<boolean>;
  joinedAt: GeneratedInstant;
}

/** Links by which people join; who was let in by whom stays written down here. */
export interface WorkspaceInvitationsTable {
  id: Generated<string>;
  workspaceId: string;
  /** SHA-256 of the link's token, in hex: a copy of this table lets nobody in. */
  hash: string;
  /** In lower case; null: for whoever has the link. */
  email: string | null;
  role: WorkspaceRole;
  createdBy: string | null;
  createdAt: GeneratedInstant;
  expiresAt: string;
  usedAt: string | null;
  usedBy: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
}
