import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface AccessTokensTable {
  id: Generated<string>;
  userId: string;
  /** Where it was made: it ends with its person's membership. */
  workspaceId: Generated<string>;
  /** The one thing that it opens; null for all. */
  resourceKind: Generated<'project' | 'bucket' | 'repository' | 'zone' | 'database' | null>;
  resourceId: Generated<string | null>;
  name: string;
  scope: 'read' | 'write';
  /** SHA-256 of the token, in hex: a copy of this table is no token. */
  hash: string;
  createdAt: GeneratedInstant;
  /** Null: it does not end by itself. */
  expiresAt: string | null;
  /** To the minute. */
  lastUsedAt: string | null;
}
