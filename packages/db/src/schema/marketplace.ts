import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** One resource that an installation made. */
export interface StoredReceiptEntry {
  kind: 'project' | 'database' | 'dns' | 'container' | 'file' | 'mobile-app';
  id: string;
  name: string;
  holdsData: boolean;
}

export interface InstallationsTable {
  id: Generated<string>;
  ownerId: string;
  /** The item's id in the catalogue. */
  itemId: string;
  version: string;
  status: Generated<'installing' | 'installed' | 'failed'>;
  /** Answers to the item's questions, by name, but for secret ones. */
  inputs: JSONColumnType<Record<string, string>>;
  /** Secret answers until it is installed or has failed: sealed values in base64 by name. */
  secretInputs: JSONColumnType<Record<string, string>, string | undefined, string>;
  /** How many of its steps are done. */
  step: Generated<number>;
  steps: number;
  doing: Generated<string>;
  error: Generated<string>;
  receipt: JSONColumnType<StoredReceiptEntry[], string | undefined, string>;
  url: Generated<string>;
  createdAt: GeneratedInstant;
}
