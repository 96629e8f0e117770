import { eventRows } from './project-events.ts';

/** What can be seen of a running app. */
export const observability = { ...eventRows };
