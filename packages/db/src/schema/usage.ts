import type { Generated } from 'kysely';

/** What one resource used in one hour; one row for each. A trigger adds new ones to `usage_days`. */
export interface UsageRecordsTable {
  id: Generated<string>;
  userId: string;
  resourceType: 'deployment' | 'database' | 'storage' | 'container' | 'egress';
  /** Null for a person's files together. */
  resourceId: string | null;
  /** Its beginning. */
  hour: string;
  amount: number;
  /** Cents, with fractions. */
  cost: number;
}

/** What someone's resources of one type cost in one day in UTC. */
export interface UsageDaysTable {
  userId: string;
  day: string;
  resourceType: UsageRecordsTable['resourceType'];
  /** Cents, with fractions. */
  cost: number;
}

/** What a resource has now; kept by triggers of the resources themselves. */
export interface UsageMetersTable {
  userId: string;
  resourceType: Exclude<UsageRecordsTable['resourceType'], 'egress'>;
  resourceId: string | null;
  /** Bytes of files and images, GB of a database, 1 for a running app. */
  level: number;
  since: string;
}

/** What a resource had, from when to when. Kept by the same triggers. */
export interface UsageSpansTable {
  id: Generated<number>;
  userId: string;
  resourceType: UsageMetersTable['resourceType'];
  resourceId: string | null;
  level: number;
  began: string;
  ended: string;
}

/** Bytes that left through the proxy. */
export interface UsageEgressTable {
  projectId: string;
  /** Its beginning. */
  hour: string;
  userId: string;
  bytes: number;
}

/** What a deleted resource was called; kept by triggers of the resources themselves, while there is its owner. */
export interface FormerResourcesTable {
  id: string;
  userId: string;
  name: string;
}

/** When a server ran, and with it the apps: one row for each run of a process. */
export interface ServerUptimesTable {
  id: string;
  began: string;
  /** When it last said so. */
  beatAt: string;
}

/** The one row of how far metering is. */
export interface UsageMeteringTable {
  onlyRow: Generated<boolean>;
  /** The first hour that is not metered. */
  meteredUntil: Generated<string>;
  /** All usage records. */
  records: Generated<number>;
}
