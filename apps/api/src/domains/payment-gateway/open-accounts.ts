import { sql } from 'kysely';

/** Which virtual accounts count against the limit of them. */
export const OPEN_ACCOUNTS = sql<boolean>`closed_at is null`;
