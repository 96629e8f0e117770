import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Who was made what by whom. */
export interface RoleChangesTable {
  id: Generated<string>;
  userId: string;
  changedBy: string | null;
  role: 'admin' | 'member';
  createdAt: GeneratedInstant;
}

/** Links that open the sign-up form; who was let in by whom stays written down here. */
export interface InvitationsTable {
  id: Generated<string>;
  /** SHA-256 of the link's token, in hex: a copy of this table lets nobody in. */
  hash: string;
  /** In lower case; null: for whoever has the link. */
  email: string | null;
  createdBy: string | null;
  createdAt: GeneratedInstant;
  expiresAt: string;
  usedAt: string | null;
  /** The account that was made with it; null also once that is deleted. */
  usedBy: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
}
