import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { raiseAlert } from '../alerts/raise-alert.ts';
import type { ZoneRow } from './zones.ts';

/** Tells a domain's owner that it is theirs no longer, or may be so soon. */
export function tellLoss(
  trx: Kysely<Database>,
  { id, ownerId, domain }: Pick<ZoneRow, 'id' | 'ownerId' | 'domain'>,
  once: 'proof' | 'taken',
  text: string,
): Promise<void> {
  return raiseAlert(trx, {
    ...{ ownerId, kind: 'domain-lost', once, text: `${domain} can't be verified any more. ${text}` },
    subject: { kind: 'zone', id, name: domain },
    path: once === 'taken' ? '/dns' : `/dns?domain=${domain}`,
  });
}
