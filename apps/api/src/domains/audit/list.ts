import type { AuditChain, AuditRecord, audit } from '@nephos/contracts';
import { AUDIT_SEARCHED, MAX_PAGE } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { INSTALLATION } from '../../platform/audit.ts';
import { mentions } from '../../platform/like-pattern.ts';
import { actionOf } from './action-words.ts';
import { GENESIS } from './canonical.ts';

const TEXTS = [
  ...[sql`actor_email`, sql`procedure`, sql`subject_kind`, sql`subject_id`, sql`subject_name`],
  ...[sql`ip`, sql`request_id`, sql`token_name`],
];

type Filter = NonNullable<z.output<typeof audit.list.input>>;

/** A record as the contract shows it. */
function recordOf(row: Selectable<Database['auditRecords']>): AuditRecord {
  const { chain, actorId, actorEmail, subjectKind, subjectId, subjectName, hash, ...rest } = row;
  return {
    ...rest,
    action: actionOf(rest.procedure),
    workspaceId: chain === INSTALLATION ? null : chain,
    actor: actorId === null ? null : { id: actorId, email: actorEmail },
    subject: { kind: subjectKind, id: subjectId, name: subjectName },
    hash: hash?.toString('hex') ?? null,
  };
}

/** The least id that was made at or after an instant: ids begin with their milliseconds (RFC 9562 §5.7). */
function idFrom(instant: string): string {
  const digits = Math.max(0, Date.parse(instant)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/**
 * A page of a chain's records, or of everybody's where `chain` is null, newest first. `withoutLogIns`: but for what is
 * about an account itself and who came into it.
 */
export async function listRecords(
  db: Kysely<Database>,
  chain: string | null,
  { limit = MAX_PAGE, cursor, search = '', actorId, kind, subjectId, from, to }: Filter = {},
  { withoutLogIns = false } = {},
): Promise<AuditRecord[]> {
  let wanted = db.selectFrom('auditLog').selectAll().orderBy('id', 'desc');
  if (chain !== null) wanted = wanted.where('chain', '=', chain);
  if (withoutLogIns) wanted = wanted.where('procedure', 'not like', 'auth.%');
  if (cursor !== undefined) wanted = wanted.where('id', '<', cursor);
  if (actorId !== undefined) wanted = wanted.where('actorId', '=', actorId);
  if (kind !== undefined) wanted = wanted.where('subjectKind', '=', kind);
  if (subjectId) wanted = wanted.where('subjectId', '=', subjectId);
  if (from !== undefined) wanted = wanted.where('id', '>=', idFrom(from));
  if (to !== undefined) wanted = wanted.where('id', '<', idFrom(to));
  if (search === '') return (await wanted.limit(limit).execute()).map(recordOf);
  const rows = await db
    // It ends soon in a chain of any length.
    .selectFrom(wanted.limit(AUDIT_SEARCHED).as('newest'))
    .selectAll()
    .where(mentions(search, TEXTS) satisfies ReturnType<typeof sql<SqlBool>>)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

/** How far a chain is sealed. */
export async function readChain(db: Kysely<Database>, chain: string): Promise<AuditChain> {
  const head = await db
    .selectFrom('auditChains')
    .select(['position', 'hash', 'sweptPosition'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  const { position, hash, sweptPosition } = head ?? { position: 0, hash: GENESIS, sweptPosition: 0 };
  return { position, hash: hash.toString('hex'), sweptPosition };
}
