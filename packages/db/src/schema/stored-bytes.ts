import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** One row: how far the object store's bytes were read again. */
export interface StoredBytesRoundsTable {
  isOnly: Generated<boolean>;
  /** Null before the first round. */
  beganAt: string | null;
  /** What kind of objects is being read; null between two rounds. */
  source: string | null;
  /** The last of that kind that was read; '' before the first. */
  after: Generated<string>;
  /** What was read in this round. */
  objects: Generated<number>;
  bytes: Generated<number>;
  /** What there was to read as it began. */
  totalBytes: Generated<number>;
  /** Of the last round that has ended. */
  endedAt: string | null;
  endedObjects: Generated<number>;
  endedBytes: Generated<number>;
  /** Until when a server that moves its objects into the bucket may have some that nobody else can read. */
  movingUntil: string | null;
}

/** What is not as it was stored. */
export interface DamagedObjectsTable {
  source: string;
  /** Of the file, blob or backup, as its source has it. */
  id: string;
  ownerId: string | null;
  /** As people call it. */
  name: string;
  problem: 'damaged' | 'missing';
  foundAt: GeneratedInstant;
  checkedAt: GeneratedInstant;
}
