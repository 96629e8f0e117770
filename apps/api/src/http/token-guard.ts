import { OPENED_BY, type TokenResource } from '@nephos/contracts';
import type { Row } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden, notFound } from '../core/errors.ts';
import type { Caller } from './caller.ts';

interface Bound {
  row: Row;
  /** `domain.procedure`. */
  path: string;
  caller: Caller;
  rawInput(): Promise<unknown>;
}

/**
 * A token that is bound to one thing calls what is about it, and nothing else. Throws 403 for other rows, and 404 for
 * other things.
 */
export async function assertResource(
  db: Kysely<Database>,
  { row, path, caller, rawInput }: Bound,
): Promise<void> {
  const { tokenResource, workspace } = caller;
  if (!tokenResource) return;
  const { field, rows } = OPENED_BY[tokenResource.kind];
  if (!rows.includes(path)) {
    throw forbidden('FORBIDDEN', `This access token opens one ${tokenResource.kind} only.`);
  }
  const { data } = row.input.safeParse(await rawInput());
  const named = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const value = named.find(([name]) => name === field)?.[1];
  const id = field === 'id' ? value : await zoneNamed(db, workspace?.id ?? '', value);
  if (id !== tokenResource.id) throw notFound();
}

async function zoneNamed(
  db: Kysely<Database>,
  ownerId: string,
  domain: unknown,
): Promise<TokenResource['id']> {
  if (typeof domain !== 'string') throw notFound();
  const zone = await db
    .selectFrom('dnsZones')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (!zone) throw notFound();
  return zone.id;
}
