import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
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
  /** The project that the page is of; null where it is of none. */
  projectId: GeneratedAlways<string | null>;
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

/** Where alerts are told, or mailed to one person. */
export interface AlertChannelsTable {
  id: Generated<string>;
  ownerId: string;
  /** Whose mail it is; null for what belongs to the workspace. */
  userId: string | null;
  type: 'mail' | 'slack' | 'discord' | 'teams' | 'webhook';
  name: string;
  /** Without what is secret of the address. */
  shownAddress: string;
  /** Sealed by the secrets box; null for mail. */
  sealedAddress: Buffer | null;
  /** What a webhook's messages are signed with, sealed; null for all others. */
  sealedSecret: Buffer | null;
  kinds: string[];
  /** The only project whose alerts are told; null: those of the whole workspace. */
  projectId: string | null;
  quietHours: JSONColumnType<{ from: string; until: string; timeZone: string; urgent: string[] } | null>;
  enabled: Generated<boolean>;
  failingSince: string | null;
  problem: Generated<string>;
  createdAt: GeneratedInstant;
}

/** A message to a channel, and what became of it. */
export interface AlertDeliveriesTable {
  id: Generated<string>;
  ownerId: string;
  channelId: string;
  event: 'raised' | 'recovered' | 'summary' | 'test';
  /** What it tells of. */
  alertIds: Generated<string[]>;
  title: string;
  state: Generated<'waiting' | 'held' | 'delivered' | 'failed'>;
  tries: Generated<number>;
  /** When it is tried next, or, while it is tried, when another replica may. */
  dueAt: GeneratedInstant;
  /** HTTP status of the last answer. */
  status: number | null;
  answer: Generated<string>;
  /** A sentence; '' where nothing is wrong. */
  problem: Generated<string>;
  createdAt: GeneratedInstant;
  triedAt: string | null;
}
