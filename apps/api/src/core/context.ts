import type { Role, TokenScope, User, WorkspaceRole } from '@nephos/contracts';
import type { SignedIn } from '@nephos/contracts/implement';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { CallAudit } from './call-audit.ts';

/** Whose things are: a workspace, as the work that is done for it knows it. */
export interface Owner {
  id: string;
  /** Namespace of its container images. */
  handle: string;
  /** As whom its code is run here: an admin only where all who can change that code are admins of the installation. */
  trust: Role;
}

/** The workspace that a call is made in. */
export interface CallerWorkspace extends Owner {
  name: string;
  personal: boolean;
  /** The caller's. */
  role: WorkspaceRole;
}

/** An administrator who is signed in as somebody that allows it. */
export interface Impersonator {
  id: string;
  email: string;
  /** By the database's clock. */
  until: string;
}

/** What one call adds. What lives as long as the process is given to a domain when it is made. */
export interface Context {
  /** Who calls, read anew for each request; null when signed out. */
  user: User | null;
  /** Whose things the call is about: what is read and written has this owner. Null when signed out. */
  ownerId: string | null;
  /** The workspace of that id. Null when signed out. */
  workspace: CallerWorkspace | null;
  /** What the access token in use may do; null for a session. */
  tokenScope: TokenScope | null;
  /** Public id of the session in use; null for an access token. */
  sessionId: string | null;
  /** Who is signed in as `user`, with their consent; absent or null: nobody else. */
  impersonator?: Impersonator | null;
  /** Inside an idempotent write, that write's transaction. */
  db: Kysely<Database>;
  /**
   * Has something done once what the call wrote is committed, and not at all where it is undone. The call's answer does
   * not wait for it. Not for use inside of `atomically`, which may run its work more than once.
   */
  afterCommit(task: () => void): void;
  /** The call's record of who did what. */
  audit: CallAudit;
  /** Aborts when the answer, or the stream, is over. */
  signal: AbortSignal | undefined;
  requestId: string;
}

/** The context of someone signed in. */
export type UserContext = SignedIn<Context>;
