import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface AssistantSessionsTable {
  id: Generated<string>;
  ownerId: string;
  /** Who asks: nobody else reads it. */
  userId: Generated<string>;
  resourceScope: 'database' | 'container' | 'kubernetes' | 'general';
  resourceId: string | null;
  title: Generated<string>;
  createdAt: GeneratedInstant;
  updatedAt: GeneratedInstant;
}

export interface AssistantMessagesTable {
  id: Generated<string>;
  sessionId: string;
  sender: 'user' | 'assistant' | 'tool';
  content: string;
  metadata: JSONColumnType<object>;
  createdAt: GeneratedInstant;
}

/** At most one of a session is being written, and two of a person: one in each slot. */
export interface AssistantRepliesTable {
  id: Generated<string>;
  sessionId: string;
  /** The person who asks, in whatever workspace. */
  ownerId: string;
  slot: number;
  status: Generated<'writing' | 'done'>;
  stopAsked: Generated<boolean>;
  /** Past it, whoever wrote the reply is taken for dead. */
  leaseUntil: string;
  /** When somebody last read it through `reply`; null where nobody has yet. */
  heardAt: string | null;
  createdAt: GeneratedInstant;
}

/** A piece of a reply as it is streamed, in order of `seq` from 1. The last one is of the type `done`. */
export interface AssistantPiecesTable {
  replyId: string;
  seq: number;
  event: JSONColumnType<object>;
}
