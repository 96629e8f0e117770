import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A place where backups of the installation lie. */
export interface BackupRepositoriesTable {
  /** As it is written there. */
  id: string;
  /** In hex, sealed. */
  sealedKey: Buffer;
  createdAt: GeneratedInstant;
}

/** A backup of the whole installation that was made, or a trial restore of one. */
export interface InstallationBackupsTable {
  id: Generated<string>;
  kind: 'backup' | 'proof';
  status: Generated<'running' | 'done' | 'failed' | 'cancelled'>;
  /** What it is at, in words. */
  step: Generated<string>;
  /** Bytes that were read, and those that are expected, as far as that is known. */
  done: Generated<number>;
  expected: number | null;
  /** Bytes of all that it has, and bytes that the repository grew by; null until it has ended well. */
  bytes: number | null;
  added: number | null;
  /** What could not be taken, or was not as it should be: sentences. */
  missing: Generated<string[]>;
  /** One sentence; '' unless failed. */
  error: Generated<string>;
  /** Somebody wants it to end. */
  isCancelled: Generated<boolean>;
  /** When it last gave a sign of life. */
  seenAt: GeneratedInstant;
  startedAt: GeneratedInstant;
  endedAt: string | null;
}
