import type { OwnCertificate } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Context } from '../../core/context.ts';
import { notFound, unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { CertificateOrders } from './orders.ts';
import { readOwnNames } from './own-names.ts';

export interface OwnOrdersParts {
  settings: Settings;
  /** Undefined where no authority is set up. */
  orders: CertificateOrders | undefined;
}

/** The certificates that the server's own names have or are to have, the console's first. */
export async function listOwnCertificates(
  db: Kysely<Database>,
  settings: Settings,
): Promise<OwnCertificate[]> {
  const { console, apps } = await readOwnNames(db, settings);
  const names = [console, apps].filter((name) => name !== undefined);
  if (names.length === 0) return [];
  const found = await db
    .selectFrom('certificateOrders')
    .leftJoin('ownCertificates', 'ownCertificates.name', 'certificateOrders.name')
    .select(['certificateOrders.name', 'error', 'endsAt', 'dueAt'])
    .where('domainId', 'is', null)
    .where('certificateOrders.name', 'in', names)
    .execute();
  // Each has its order within a minute.
  const dueAt = new Date().toISOString();
  return names.map(
    (name) =>
      found.find((certificate) => certificate.name === name) ?? { name, endsAt: null, error: '', dueAt },
  );
}

/**
 * Asks the authority for the certificate of a name of the server's own now, where it refused before. Throws 404, 409, 429
 * where it was asked too often or said how long to wait, and 503 where there is none.
 */
export async function issueOwnCertificate(
  { db }: Pick<Context, 'db'>,
  { settings, orders }: OwnOrdersParts,
  { name }: { name: string },
): Promise<OwnCertificate> {
  if (!orders) throw unavailable('No certificate authority is set up. Set ACME_EMAIL.');
  return atomically(db, async (trx) => {
    const read = async () =>
      (await listOwnCertificates(trx, settings)).find((certificate) => certificate.name === name);
    if (!(await read())) throw notFound();
    await orders.tryAgain(trx, { ownName: name });
    const tried = await read();
    if (!tried) throw notFound();
    return tried;
  });
}
