import { z } from 'zod';
import { DeploymentStatus } from './deployments.ts';
import { DeleteRecords } from './dns-records.ts';
import { mutation, query, subscription } from './kit.ts';
import { Id, Success } from './page.ts';

/** A catalogue item's own name, stable over its versions, for example `postgresql-database`. */
export const ItemId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(60);

/** Kinds of what an installation made, or would make. */
export const RESOURCE_KINDS = ['project', 'database', 'dns', 'container', 'file', 'mobile-app'] as const;
export const ResourceKind = z.enum(RESOURCE_KINDS);
export type ResourceKind = z.output<typeof ResourceKind>;

/** A question that the install dialog asks. */
export const ItemInput = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  placeholder: z.string(),
  default: z.string(),
  required: z.boolean(),
  /** Whether it is a password, which is never given back. */
  secret: z.boolean(),
});
export type ItemInput = z.output<typeof ItemInput>;

/** Something of this server that the item's resources need. */
export const ItemNeed = z.object({
  /** For example `PostgreSQL databases` or `Python`. */
  label: z.string(),
  available: z.boolean(),
  /** One sentence that says what to change; '' when available. */
  reason: z.string(),
});

/** A catalogue item. */
export const MarketplaceItem = z.object({
  id: ItemId,
  name: z.string(),
  description: z.string(),
  category: z.string(),
  isTemplate: z.boolean(),
  /** Accounts that have it installed. */
  installCount: z.int(),
  version: z.string(),
  creates: z.array(z.object({ kind: ResourceKind, label: z.string() })),
  needs: z.array(ItemNeed),
  inputs: z.array(ItemInput),
  /** Set where it is a third-party app, which newer versions of the catalogue upgrade. */
  app: z
    .object({
      /** MB of its disk, on which there is everything that it keeps. */
      disk: z.int(),
      /** What to do once it is installed, in one sentence; '' for nothing. */
      firstSteps: z.string(),
    })
    .nullable(),
});
export type MarketplaceItem = z.output<typeof MarketplaceItem>;

/** One resource of a receipt. */
export const ReceiptEntry = z.object({
  kind: ResourceKind,
  id: Id,
  name: z.string(),
  /** Whether it holds data that uninstalling can leave in place. */
  holdsData: z.boolean(),
});
export type ReceiptEntry = z.output<typeof ReceiptEntry>;

/** The newer version of an app, and what became of the last try to go there. */
export const Upgrade = z.object({
  /** The one that is offered, or on its way. */
  version: z.string(),
  /** What an upgrade does, a sentence each. */
  changes: z.array(z.string()),
  /** The last deployment of that version; null before the first. */
  deploymentId: Id.nullable(),
  status: DeploymentStatus.nullable(),
  /** Why that failed or was cancelled, in one sentence; null otherwise. The app runs in its former version, with its data. */
  error: z.string().nullable(),
});
export type Upgrade = z.output<typeof Upgrade>;

export const INSTALLATION_STATUSES = ['installing', 'installed', 'failed'] as const;

export const Installation = z.object({
  id: Id,
  itemId: ItemId,
  /** The version of the item when it was installed; of a third-party app, the one that runs. */
  version: z.string(),
  status: z.enum(INSTALLATION_STATUSES),
  /** Steps done and in all. */
  step: z.int(),
  steps: z.int(),
  /** What is being done, in a few words, for example `Waiting for the database`. */
  doing: z.string(),
  /** Why it failed, in one sentence; '' otherwise. What it had made is gone again. */
  error: z.string(),
  receipt: z.array(ReceiptEntry),
  /** Where to open what was installed, for example the site; '' when there is nothing to open. */
  url: z.string(),
  /** Null where there is nothing newer. */
  upgrade: Upgrade.nullable(),
  createdAt: z.iso.datetime(),
});
export type Installation = z.output<typeof Installation>;

export const NewInstallation = z.object({
  /** One that is not of the catalogue is answered with 404, whatever it looks like. */
  id: z.string(),
  /** Answers to the item's questions, by name. */
  inputs: z.record(z.string().max(60), z.string().max(1000)).default({}),
});

/** Without `attempts`, only what is installed: everything listed has been made. */
const ListedInstallations = z
  .object({
    attempts: z
      .boolean()
      .optional()
      .describe('Whether to list what is being installed, and failed attempts until the next one'),
  })
  .optional();

/** `null` when it was uninstalled. */
export const InstallationChange = z.object({ itemId: ItemId, installation: Installation.nullable() });

export const marketplace = {
  list: query({
    summary: 'The catalogue',
    route: 'GET /api/marketplace',
    forAssistant: true,
    output: z.array(MarketplaceItem),
  }),
  installations: query({
    summary: 'What you have installed, newest first; with `attempts`, also what is being installed or failed',
    route: 'GET /api/marketplace/installations',
    forAssistant: true,
    input: ListedInstallations,
    output: z.array(Installation),
  }),
  install: mutation({
    summary: 'Install an item in the background; 200 with the existing installation if there is one',
    route: 'POST /api/marketplace/{id}/install',
    status: 201,
    findsExisting: true,
    perMinute: 30,
    input: NewInstallation,
    output: Installation,
  }),
  upgrade: mutation({
    summary:
      'Deploy the newest version of an installed app. Its disk is backed up first, and comes back with the former version if the new one fails its health check',
    route: 'POST /api/marketplace/{id}/upgrade',
    refusals: {
      403: 'The trial has ended, the storage of the plan is full, or you may not deploy here',
      404: 'It is not installed',
      409: 'It is the newest version, an upgrade is in progress, or its project is gone or has another source',
    },
    perMinute: 30,
    input: z.object({ id: z.string() }),
    output: Installation,
  }),
  uninstall: mutation({
    summary:
      'Uninstall an item and delete everything on its receipt, with `keepData` except what holds data; or dismiss a failed attempt',
    route: 'DELETE /api/marketplace/{id}/uninstall',
    fresh: true,
    perMinute: 30,
    input: z.object({
      id: z.string(),
      /** Leaves what holds data where it is: it stays yours, without the installation. */
      keepData: z.boolean().default(false),
      deleteRecords: DeleteRecords,
    }),
    output: Success,
  }),
  changes: subscription({
    summary: 'Changes of your installations',
    output: InstallationChange,
  }),
};
