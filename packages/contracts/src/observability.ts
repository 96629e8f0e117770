import { eventRows } from './project-events.ts';
import { logRows } from './project-logs.ts';

/** What can be seen of a running app. */
export const observability = { ...logRows, ...eventRows };
