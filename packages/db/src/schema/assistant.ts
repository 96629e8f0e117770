import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface AssistantSessionsTable {
  id: Generated<string>;
  ownerId: string;
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

/** At most one of a session is being written. */
export interface AssistantRepliesTable {
  id: Generated<string>;
  sessionId: string;
  ownerId: string;
  status: 'writing' | 'done';
  error: Generated<string>;
  createdAt: GeneratedInstant;
}

/** A piece of a reply as it is streamed, in order of `seq`. */
export interface AssistantPiecesTable {
  replyId: string;
  seq: number;
  event: JSONColumnType<object>;
}
