import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Uploads in parts to an object store of another machine. */
export interface ObjectUploadsTable {
  id: string;
  /** Bytes that have arrived. */
  size: Generated<number>;
  /** What the store calls the multipart upload that the parts are in; null while there is none. */
  multipartId: string | null;
  /** Entity tags of its parts, in their order. */
  parts: Generated<string[]>;
  /** Where the object store has the bytes after the last part; once finished, all of them. */
  restKey: string | null;
  isFinished: Generated<boolean>;
  /** Which call has it to itself, and until when at least. */
  holder: string | null;
  heldUntil: string | null;
  touchedAt: GeneratedInstant;
}
