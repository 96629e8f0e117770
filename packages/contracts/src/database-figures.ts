import { z } from 'zod';
import { query } from './kit.ts';
import { ById } from './page.ts';
import { MetricRange } from './project-metrics.ts';

/** Figures of databases are kept by the minute, for 7 days. */
const FigureRange = MetricRange.exclude(['90d'], 'Range must be 1h, 24h or 7d.');
export type FigureRange = z.output<typeof FigureRange>;

/** What a database did from `at` until the next point; all null where its server slept, or nobody measured. */
const Point = z.object({
  at: z.iso.datetime(),
  /** Bytes on disk at the end. */
  size: z.int().nullable(),
  /** Clients, at the minute when they were most. */
  connections: z.int().nullable(),
  /** Transactions that were committed and rolled back; PostgreSQL's own are among them. */
  commits: z.int().nullable(),
  rollbacks: z.int().nullable(),
  /** Pages in a hundred that were in the server's memory when they were needed; null where none was. */
  cacheHits: z.number().nullable(),
});

const DatabaseFigures = z.object({
  range: FigureRange,
  /** Seconds from one point to the next. */
  step: z.int(),
  points: z.array(Point),
});
export type DatabaseFigures = z.output<typeof DatabaseFigures>;

const NOT_POSTGRESQL = 'It is no PostgreSQL database, or it is not available';

/** What PostgreSQL databases do, as their servers tell. Nothing here wakes one, unless it says so. */
export const databaseFigures = {
  figures: query({
    summary:
      "A PostgreSQL database's size, connections, transactions and cache hits: of an hour by minute, of 24 hours by 10 minutes, of 7 days by hour",
    route: 'GET /api/databases/{id}/figures',
    refusals: { 409: NOT_POSTGRESQL },
    perMinute: 120,
    input: ById.extend({
      range: FigureRange.default('1h'),
      until: z.iso
        .datetime('Enter an instant like 2026-01-31T12:00:00Z.')
        .optional()
        .describe('Where the range ends; now unless it is given'),
    }),
    output: DatabaseFigures,
  }),
};
