import { z } from 'zod';
import { query, subscription } from './kit.ts';
import { ById, Id } from './page.ts';

export const MetricRange = z.enum(['1h', '24h', '7d', '90d'], 'Range must be 1h, 24h, 7d or 90d.');
export type MetricRange = z.output<typeof MetricRange>;

/**
 * What an app did and used from `at` until the next point; null where nobody measured. Percentiles are of a histogram whose
 * bounds grow by a quarter, so they are off by a quarter at most. A server that is killed has not written the last minute.
 */
const Point = z.object({
  at: z.iso.datetime(),
  requests: z.int(),
  /** Answers of 500 and above. */
  errors: z.int(),
  /** Milliseconds until half of the answers began, and until 99 in 100 did. */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  /** Percent of one core, in the mean. */
  cpu: z.number().nullable(),
  /** Bytes in the mean. */
  memory: z.number().nullable(),
  /** Bytes of the release, of what its builds keep, and of the persistent disks. */
  disk: z.number().nullable(),
});

/** What one process used, at the same points. */
const ProcessPoints = z.object({
  process: z.string(),
  /** Percent of one core, in the mean; null where it did not run. */
  cpu: z.array(z.number().nullable()),
  /** Bytes in the mean, of all of its instances; null where it did not run. */
  memory: z.array(z.number().nullable()),
});

export const Metrics = z.object({
  range: MetricRange,
  /** Seconds from one point to the next. */
  step: z.int(),
  points: z.array(Point),
  processes: z.array(ProcessPoints),
});
export type Metrics = z.output<typeof Metrics>;

/** Minutes of activity that a card shows. */
export const ACTIVITY_MINUTES = 60;

/** What an app did in each minute of the last hour, oldest first. */
export const ProjectActivity = z.object({
  projectId: Id,
  requests: z.array(z.int()),
  /** Bytes; null where it did not run. */
  memory: z.array(z.number().nullable()),
});
export type ProjectActivity = z.output<typeof ProjectActivity>;

export const metricRows = {
  metrics: query({
    summary:
      "A project's requests, errors, latency, CPU, memory and disk: of an hour by minute, of 24 hours by 10 minutes, of 7 days by hour, of 90 days by 12 hours",
    route: 'GET /api/projects/{id}/metrics',
    perMinute: 120,
    forAssistant: true,
    input: ById.extend({
      range: MetricRange.default('1h'),
      until: z.iso
        .datetime('Enter an instant like 2026-01-31T12:00:00Z.')
        .optional()
        .describe('Where the range ends; now unless it is given'),
    }),
    output: Metrics,
  }),
  activity: query({
    summary: 'Requests and memory of each of your projects that ran in the last hour, by minute',
    route: 'GET /api/projects/activity',
    perMinute: 120,
    output: z.array(ProjectActivity),
  }),
  /** An event's id is the minute. */
  newMetrics: subscription({
    summary: 'Tells when there are new metrics of a project',
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: z.object({ at: z.iso.datetime() }),
  }),
};
