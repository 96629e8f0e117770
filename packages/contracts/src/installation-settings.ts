import { z } from 'zod';
import { SIGNUPS } from './constants.ts';
import { mutation, query } from './kit.ts';

const Signups = z.enum(SIGNUPS, `Choose one of ${SIGNUPS.join(', ')}.`);

/** Settings that can change while the server runs. */
const CHANGEABLE = ['publicUrl', 'signups', 'billing', 'mail'] as const;

/** What the server goes by, wherever that was decided. */
export const InstallationSettings = z.object({
  /** Where people reach the console. */
  publicUrl: z.url(),
  /** Where they do from the next start on; null where that is the same. */
  nextPublicUrl: z.url().nullable(),
  /** Who may make an account after the first. */
  signups: Signups,
  /** Whether trials, plans and their limits apply. */
  billing: z.boolean(),
  /** The server that sends mail, without its password; null where none is sent. */
  mail: z.object({ host: z.string(), from: z.string() }).nullable(),
  /** Whether the first steps were done, or skipped. */
  setUp: z.boolean(),
  /** Those that the environment sets, which wins: they are changed there, with a restart. */
  fixed: z.array(z.enum(CHANGEABLE)),
});
export type InstallationSettings = z.output<typeof InstallationSettings>;

/** What is left out stays. */
export const InstallationChanges = z.object({
  /** An origin that answers as this server; used from the next start on. Null: as host and port say. */
  publicUrl: z.string().max(300).nullable().optional(),
  /** The first steps were done, or skipped. */
  setUp: z.literal(true).optional(),
  signups: Signups.optional(),
  billing: z.boolean().optional(),
  /** Null sends no mail. */
  mail: z
    .object({
      /** As `SMTP_URL`: it is not shown again. */
      smtpUrl: z.string().min(1, 'Enter the address of the mail server.').max(1000),
      /** As `MAIL_FROM`; absent or '': `nephos@` and the host of the console. */
      from: z.string().max(300).optional(),
    })
    .nullable()
    .optional(),
});
export type InstallationChanges = z.output<typeof InstallationChanges>;

/** Rows of the domain `admin`. */
export const installationSettings = {
  settings: query({
    summary: 'Settings of the installation, and which of them the environment sets',
    route: 'GET /api/admin/settings',
    access: 'admin',
    perMinute: 120,
    output: InstallationSettings,
  }),
  changeSettings: mutation({
    summary:
      'Change settings of the installation, on all servers and without a restart; a new public address has to answer, and is used from the next start on',
    route: 'PATCH /api/admin/settings',
    access: 'admin',
    fresh: true,
    sessionOnly: true,
    keepsKeys: true,
    perMinute: 30,
    input: InstallationChanges,
    output: InstallationSettings,
  }),
};
