import type { Generated } from 'kysely';

/** What one resource used in one hour; one row for each. */
export interface UsageRecordsTable {
  id: Generated<string>;
  userId: string;
  resourceType: 'deployment' | 'database' | 'storage' | 'container' | 'egress';
  resourceId: string | null;
  /** Its beginning. */
  hour: string;
  amount: number;
  /** Cents, with fractions. */
  cost: number;
}
