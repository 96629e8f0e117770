import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

/** Backups and trials that are listed. */
export const LISTED_BACKUPS = 50;

const KINDS = ['backup', 'proof'] as const;

/** A backup of the installation, or a trial restore of the latest one, that runs or has ended. */
export const InstallationBackup = z.object({
  id: Id,
  kind: z.enum(KINDS),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** What it is at, in words; '' before it began. */
  step: z.string(),
  /** Bytes that were read, and those that are expected: as many as the one before had, null where there was none. */
  done: z.int(),
  expected: z.int().nullable(),
  /** Bytes of all that it has, and those that the repository grew by; null unless done. */
  bytes: z.int().nullable(),
  added: z.int().nullable(),
  /** What could not be taken: sentences. */
  missing: z.array(z.string()),
  /** Why it failed, in a sentence; '' unless it did. */
  error: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type InstallationBackup = z.output<typeof InstallationBackup>;

/** Rows of the domain `admin`. */
export const adminBackups = {
  backups: query({
    summary: `Backups of the installation and trial restores of them, newest first, at most ${LISTED_BACKUPS}`,
    route: 'GET /api/admin/backups',
    access: 'admin',
    perMinute: 120,
    output: z.array(InstallationBackup).max(LISTED_BACKUPS),
  }),
  startBackup: mutation({
    summary:
      'Begin a backup of the installation, or a trial restore of the latest one, and answer once it runs',
    route: 'POST /api/admin/backups',
    access: 'admin',
    status: 201,
    perMinute: 10,
    refusals: { 409: 'One is under way, backups are not set up, or it could not begin' },
    input: z.object({ kind: z.enum(KINDS, 'Choose backup or proof.') }),
    output: InstallationBackup,
  }),
  cancelBackup: mutation({
    summary:
      'Have a backup or a trial restore that runs stop within seconds; what it has stored helps the next one',
    route: 'POST /api/admin/backups/{id}/cancel',
    access: 'admin',
    status: 200,
    perMinute: 60,
    refusals: { 404: 'It does not run any more' },
    input: ById,
    output: Success,
  }),
};
