import { z } from 'zod';
import { adminBackups } from './admin-backups.ts';
import { adminJobs } from './admin-jobs.ts';
import { Role } from './auth.ts';
import { MeteredHour, Payment, Subscription } from './billing.ts';
import { installationDemand } from './factor-demands.ts';
import { installationSettings } from './installation-settings.ts';
import { invitations } from './invitations.ts';
import { mutation, query } from './kit.ts';
import { limits } from './limits.ts';
import { OwnCertificate, ownCertificates } from './own-certificates.ts';
import { Id, Page, Search, Success } from './page.ts';
import { AdminUser, people } from './people.ts';

/** A page of one of the administrators' lists. `search` is looked for whatever its case; what in, says the row. */
const SearchedPage = Page.extend({ search: Search }).optional();

/** By whom ids are told apart: those of people who signed up together begin alike. */
const Owned = { userEmail: z.string() };

export const AdminSubscription = Subscription.extend(Owned);
export type AdminSubscription = z.output<typeof AdminSubscription>;

export const AdminPayment = Payment.extend(Owned);
export type AdminPayment = z.output<typeof AdminPayment>;

/** A usage record as the admin page shows it. */
export const AdminUsageRecord = MeteredHour.extend({
  ...Owned,
  /** Dollars, shown undivided. */
  cost: z.number(),
});
export type AdminUsageRecord = z.output<typeof AdminUsageRecord>;

/** The whole installation in numbers. */
export const AdminTotals = z.object({
  users: z.int(),
  admins: z.int(),
  subscriptions: z.int(),
  activeSubscriptions: z.int(),
  /** Cents of all completed payments. */
  revenue: z.int(),
  /** Completed and failed. */
  payments: z.int(),
  usageRecords: z.int(),
});
export type AdminTotals = z.output<typeof AdminTotals>;

/** One thing that what runs people's code can keep apart, and whether it does on this server. */
const IsolationFact = z.object({
  /** For example `Network`. */
  name: z.string(),
  holds: z.boolean(),
  /** What that means here, in a sentence or two; where it does not hold, why. */
  detail: z.string(),
});

/** A machine that apps run on, where there can be several. */
export const ClusterNode = z.object({
  /** Its host name, which others may have as well. */
  name: z.string(),
  /** An IP address. */
  address: z.string(),
  role: z.enum(['manager', 'worker']),
  /** Whether it responds. */
  state: z.enum(['ready', 'down']),
  /** Whether it is given instances: `pause` keeps those it has, `drain` moves them to others. */
  availability: z.enum(['active', 'pause', 'drain']),
  /** Version of its Docker. */
  version: z.string(),
  /** Whether it is the machine of this server. */
  isHere: z.boolean(),
  /** Instances of apps on it. */
  instances: z.int(),
});
export type ClusterNode = z.output<typeof ClusterNode>;

/** Something in the object store that is not as it was stored. */
export const DamagedBytes = z.object({
  /** What it is, for example `File` or `Image layer`. */
  what: z.string(),
  /** As its owner calls it. */
  name: z.string(),
  /** The workspace that it belongs to; '' where none does. */
  owner: z.string(),
  problem: z.enum(['damaged', 'missing']),
  foundAt: z.iso.datetime(),
});
export type DamagedBytes = z.output<typeof DamagedBytes>;

/** Something that the server drives or is driven by. */
export const Engine = z.object({
  /** For example `deployment-runtime`. */
  id: z.string(),
  /** What it is for, for example `Deployment runtime`. */
  name: z.string(),
  /** What is in use, for example `Processes on this machine`. */
  running: z.string(),
  state: z.enum(['healthy', 'unhealthy', 'off']),
  /** In one sentence: what is wrong, or where it is reached. */
  detail: z.string(),
  /** The settings that choose another or turn it on, for example `DEPLOY_RUNTIME`. */
  settings: z.array(z.string()),
  /** What keeps projects apart, of an engine that runs their code. */
  isolation: z.array(IsolationFact).optional(),
  /** The machines of an engine that runs code on several, this server's first. */
  nodes: z.array(ClusterNode).optional(),
  /** Those of the server's own names. */
  certificates: z.array(OwnCertificate).optional(),
  /** The first 100 of what is not as it was stored, of the engine that looks for it. */
  damaged: z.array(DamagedBytes).optional(),
});
export type Engine = z.output<typeof Engine>;

const PER_MINUTE = 120;

export const admin = {
  totals: query({
    summary: 'Totals for the whole installation',
    route: 'GET /api/admin/totals',
    access: 'admin',
    perMinute: PER_MINUTE,
    output: AdminTotals,
  }),
  users: query({
    summary: 'All users, newest first; searchable by email, name, ID and name of a workspace',
    route: 'GET /api/admin/users',
    access: 'admin',
    perMinute: PER_MINUTE,
    input: SearchedPage,
    output: z.array(AdminUser),
  }),
  subscriptions: query({
    summary: 'All subscriptions, newest first; searchable by user ID, email, workspace, plan and status',
    route: 'GET /api/admin/subscriptions',
    access: 'admin',
    perMinute: PER_MINUTE,
    input: SearchedPage,
    output: z.array(AdminSubscription),
  }),
  payments: query({
    summary:
      'All payments, newest first; searchable by user ID, email, workspace, invoice, method and status',
    route: 'GET /api/admin/payments',
    access: 'admin',
    perMinute: PER_MINUTE,
    input: SearchedPage,
    output: z.array(AdminPayment),
  }),
  usage: query({
    summary:
      'All usage records, newest first; searchable by user ID, email, workspace, resource type and resource ID',
    route: 'GET /api/admin/usage',
    access: 'admin',
    perMinute: PER_MINUTE,
    input: SearchedPage,
    output: z.array(AdminUsageRecord),
  }),
  changeRole: mutation({
    summary: "Change another user's role; at least one admin must remain",
    route: 'PATCH /api/admin/users/{userId}/role',
    access: 'admin',
    fresh: true,
    sessionOnly: true,
    perMinute: 30,
    input: z.object({ userId: Id, role: Role }),
    output: AdminUser,
  }),
  ...people,
  ...limits,
  ...invitations,
  ...ownCertificates,
  ...installationSettings,
  ...installationDemand,
  ...adminBackups,
  ...adminJobs,
  engines: query({
    summary: 'The engines that the server runs on, and their health',
    route: 'GET /api/admin/engines',
    access: 'admin',
    perMinute: PER_MINUTE,
    output: z.array(Engine),
  }),
  sendTestMail: mutation({
    summary: 'Send a mail to yourself, to see whether mail arrives',
    route: 'POST /api/admin/test-mail',
    access: 'admin',
    sessionOnly: true,
    keepsKeys: true,
    perMinute: 5,
    status: 200,
    output: Success,
  }),
  joinCommand: mutation({
    summary:
      'The command by which another machine joins those that apps run on; its token is a secret, and `renew` replaces it',
    route: 'POST /api/admin/join-command',
    access: 'admin',
    fresh: true,
    sessionOnly: true,
    secret: true,
    perMinute: 30,
    status: 200,
    keepsKeys: true,
    input: z.object({ renew: z.boolean() }),
    output: z.object({ joinCommand: z.string() }),
  }),
};
