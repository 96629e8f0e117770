import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import {
  DEFAULT_DISK_PATH,
  DEFAULT_DISK_SIZE,
  MAX_DISK_SIZE,
  MAX_DISKS,
  MIN_DISK_SIZE,
} from './run-defaults.ts';

const DISK_NAME = 'Use lowercase letters, digits and hyphens, starting with a letter.';
const DISK_SIZE = `Size must be a whole number from ${MIN_DISK_SIZE} to ${MAX_DISK_SIZE} MB.`;
const DISK_PATH = 'Enter a path like /data, or a folder of the app like storage/uploads.';

/** Folders that belong to the system, below which nothing of an app's can be put. */
const SYSTEM =
  /^\/(app$|var(\/(lock|run|tmp))?$|(bin|boot|dev|etc|lib(32|64|exec|x32)?|proc|root|run|sbin|sys|tmp|usr)(\/|$))/;

/** Where an app finds a disk: an absolute path, or one below the app's own folder; up to 200 characters. */
const DiskPath = z
  .string()
  .overwrite((value) => value.trim().replace(/^\.\//, '').replace(/\/+$/, ''))
  .max(200, 'Paths can be up to 200 characters long.')
  .regex(/^\/?[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/, DISK_PATH)
  .refine((path) => !path.split('/').some((name) => name === '.' || name === '..'), DISK_PATH)
  .refine((path) => !SYSTEM.test(path), 'This path belongs to the system. Choose another, like /data.');

/** MB that a disk can hold. */
const DiskSize = z.int(DISK_SIZE).min(MIN_DISK_SIZE, DISK_SIZE).max(MAX_DISK_SIZE, DISK_SIZE);

/** A folder of a project that outlives its releases. */
export const Disk = z.object({
  id: Id,
  name: z.string(),
  path: z.string(),
  /** MB that it can hold. */
  size: z.int(),
  /** Whether the kernel holds it to its size, when it was measured last; null before. */
  limited: z.boolean().nullable(),
  /** What it held when it was measured last. */
  bytes: z.int(),
  /** Null until it was measured for the first time. */
  measuredAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type Disk = z.output<typeof Disk>;

/** What a server can do for disks. */
export const DiskSupport = z.object({
  /** Whether a path outside of the app's own folder works; `NEPHOS_DATA` names the first disk anyway. */
  mounted: z.boolean(),
  /** Whether the kernel holds new disks to their size. */
  limited: z.boolean(),
  /** Whether a larger disk is larger for an app that runs, too; else from its next restart or deployment. */
  growsInUse: z.boolean(),
});
export type DiskSupport = z.output<typeof DiskSupport>;

export const NewDisk = z.object({
  id: Id.describe('The project'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, DISK_NAME),
  path: DiskPath.default(DEFAULT_DISK_PATH),
  size: DiskSize.default(DEFAULT_DISK_SIZE),
});
export type NewDisk = z.input<typeof NewDisk>;

export const LargerDisk = z.object({ id: Id.describe('The project'), name: z.string(), size: DiskSize });

export const disks = {
  list: query({
    summary: "A project's disks, oldest first, and what the server can do for them",
    route: 'GET /api/projects/{id}/disks',
    forAssistant: true,
    input: ById,
    output: DiskSupport.extend({
      /** The machine of all disks, on which an app with one runs; null where there is but one, and where they are shared. */
      node: z.string().nullable(),
      /** Whether there are several machines, each of which has these disks and may run the app. */
      shared: z.boolean(),
      disks: z.array(Disk),
    }),
  }),
  add: mutation({
    summary: 'Add a disk to a project. The app has it from its next restart or deployment',
    route: 'POST /api/projects/{id}/disks',
    status: 201,
    refusals: {
      403: `The project has ${MAX_DISKS} disks, or the storage of the plan is full or smaller than the disk`,
      409: 'The project has a disk of this name, or at this path',
    },
    perMinute: 20,
    input: NewDisk,
    output: Disk,
  }),
  grow: mutation({
    summary: 'Make a disk larger. It can never be made smaller',
    route: 'PATCH /api/projects/{id}/disks/{name}',
    refusals: { 403: 'The disk would be larger than the storage of the plan' },
    perMinute: 20,
    input: LargerDisk,
    output: Disk,
  }),
  remove: mutation({
    summary: 'Delete a disk with everything on it. The app must be stopped',
    route: 'DELETE /api/projects/{id}/disks/{name}',
    refusals: { 409: 'The app is running, or a deployment is in progress' },
    fresh: true,
    perMinute: 20,
    input: z.object({ id: Id, name: z.string() }),
    output: Success,
  }),
};
