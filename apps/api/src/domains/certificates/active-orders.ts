import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Orders that are heeded: not those of domains, or names, that are no longer their owners' or the server's. */
export function activeOrders(db: Kysely<Database>, ownNames: readonly string[]) {
  return db
    .selectFrom('certificateOrders')
    .leftJoin('customDomains', 'customDomains.id', 'certificateOrders.domainId')
    .where(({ eb, or, and }) =>
      or([
        eb('provenAt', 'is not', null),
        and([eb('domainId', 'is', null), eb('name', '=', sql<string>`any(${ownNames})`)]),
      ]),
    );
}
