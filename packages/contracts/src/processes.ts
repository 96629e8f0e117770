import { z } from 'zod';
import { query, subscription } from './kit.ts';
import { ById } from './page.ts';

/**
 * `crashed`: it ended by itself and is started again after a pause; `failed`: it crashed too often and stays down until
 * the app is restarted or deployed.
 */
export const PROCESS_STATES = ['starting', 'running', 'crashed', 'failed', 'stopped'] as const;

/** One instance of a process of an app. */
export const ProcessInstance = z.object({
  /** From 1. */
  instance: z.int(),
  state: z.enum(PROCESS_STATES),
  /** When it came to this state. */
  since: z.iso.datetime(),
  /** How often it was started again since the version began to run. */
  restarts: z.int(),
  /** How it ended last, for example `exited with code 1`; '' where it did not. */
  reason: z.string(),
  /** Where it listens; null for a worker, and while it does not. */
  port: z.int().nullable(),
  /** Name of the machine that it runs on; null where there is but one, and while it does not run. */
  node: z.string().nullable(),
});
export type ProcessInstance = z.output<typeof ProcessInstance>;

/** A process of an app: `web` gets the requests; every other one is a worker. */
export const AppProcess = z.object({
  name: z.string(),
  /** What a restart or a deployment will run; '' where the next build is to find it. */
  command: z.string(),
  /** Whether the command was found in the repository or set. */
  source: z.enum(['repository', 'settings']),
  /** What runs of it now, or ran last; none where it never ran. */
  instances: z.array(ProcessInstance),
});
export type AppProcess = z.output<typeof AppProcess>;

export const processes = {
  list: query({
    summary: "The processes of a project's app with the state of each instance, `web` first",
    route: 'GET /api/projects/{id}/processes',
    forAssistant: true,
    input: ById,
    output: z.array(AppProcess),
  }),
  changes: subscription({
    summary: "The processes of a project's app, and again each time that one comes to another state",
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: z.array(AppProcess),
  }),
};
