import { sql } from 'kysely';

/** Longer than a push takes, from its first blob or manifest to the manifest or tag that names it. */
export const PUSH_TIME = sql`interval '24 hours'`;
