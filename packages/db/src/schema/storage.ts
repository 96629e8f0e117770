import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface StoredFilesTable {
  id: Generated<string>;
  ownerId: string;
  fileName: string;
  filePath: string;
  /** Bytes. */
  fileSize: number;
  mimeType: string;
  /** Lower case; of a text whose sender named one. */
  charset: string | null;
  isPublic: boolean;
  /** Where the object store has the bytes; made at random. */
  objectKey: string;
  /** Digest of the bytes, in hex. */
  sha256: string;
  createdAt: GeneratedInstant;
  /** When the bytes were stored. */
  uploadedAt: GeneratedInstant;
}
