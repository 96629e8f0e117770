import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Something that somebody should look at. */
export interface AlertsTable {
  id: Generated<string>;
  ownerId: string;
  /** One of the contract's kinds. */
  kind: string;
  subjectKind: string;
  subjectId: string;
  subjectName: string;
  text: string;
  /** The console's page about it. */
  path: string;
  /** Which crossing of a threshold it is: there is one alert of it until it has recovered. Null for what just happens. */
  once: string | null;
  count: Generated<number>;
  createdAt: GeneratedInstant;
  lastAt: GeneratedInstant;
  recoveredAt: string | null;
}

/** When somebody read an alert; it is unread again once it has happened after that. */
export interface AlertReadsTable {
  alertId: string;
  userId: string;
  readAt: GeneratedInstant;
}
