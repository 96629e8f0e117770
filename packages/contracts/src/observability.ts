import { eventRows } from './project-events.ts';
import { logRows } from './project-logs.ts';
import { metricRows } from './project-metrics.ts';

/** What can be seen of a running app. */
export const observability = { ...logRows, ...metricRows, ...eventRows };
