import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** What is sent, or was in the last 30 days. */
export interface MailsTable {
  id: Generated<string>;
  /** No other mail has the same. */
  once: string | null;
  recipient: string;
  /** Sealed JSON of its content, which may hold links that are secrets; null once it has ended. */
  content: Buffer | null;
  state: Generated<'waiting' | 'sent' | 'failed'>;
  tries: Generated<number>;
  /** Why the last try failed, as a sentence; '' where it did not. */
  problem: Generated<string>;
  nextTry: GeneratedInstant;
  sendUntil: string;
  triedAt: string | null;
  createdAt: GeneratedInstant;
}
