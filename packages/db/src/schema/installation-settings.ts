import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** What administrators decide while the server runs, in one row; null: as it is without that. */
export interface InstallationSettingsTable {
  id: Generated<boolean>;
  signups: 'open' | 'invite' | 'closed' | null;
  billing: boolean | null;
  /** Sealed. */
  smtpUrl: Buffer | null;
  mailFrom: string | null;
  /** Whether everybody has to have a second factor. */
  demandsSecondFactor: Generated<boolean>;
  /** An origin. */
  publicUrl: string | null;
  /** When the first steps were done, or skipped. */
  setUpAt: string | null;
  changedAt: GeneratedInstant;
  changedBy: string | null;
}
