import { type CustomDomain, relativeName } from '@nephos/contracts';
import { DOMAIN_PROOF_LABEL } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { isOnlyForThisMachine } from '../../core/env.ts';
import type { Settings } from '../../core/settings.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { Seen } from './look.ts';

export type DomainRow = Selectable<Database['customDomains']>;
type Problem = NonNullable<DomainRow['problem']>;
type Proof = CustomDomain['verification'];

/** What tells of a claim whether it holds. */
export interface ProofParts {
  settings: Pick<Settings, 'dnsVerifyOwnership' | 'host' | 'publicUrl' | 'trustProxy'>;
  secrets: Pick<SecretsBox, 'fingerprint'>;
}

/** Characters: 128 bits in hexadecimal. */
const TOKEN_LENGTH = 32;

/** The TXT record that only who controls the domain can publish, with what only this account is told. */
export function proofOf(
  { secrets }: Pick<ProofParts, 'secrets'>,
  { ownerId, domain }: { ownerId: string; domain: string },
): Proof {
  return {
    name: `${DOMAIN_PROOF_LABEL}.${domain}`,
    value: secrets.fingerprint(`custom-domain:${ownerId}:${domain}`).slice(0, TOKEN_LENGTH),
  };
}

/**
 * Whether the owner has a zone here that the domain is in. It proves something only where zones had to be proven
 * themselves, or where everyone who reaches this server is trusted.
 */
async function isInOwnZone(
  trx: Kysely<Database>,
  { settings }: Pick<ProofParts, 'settings'>,
  { ownerId, domain }: DomainRow,
): Promise<boolean> {
  if (!settings.dnsVerifyOwnership && !isOnlyForThisMachine(settings)) return false;
  const zones = await trx
    .selectFrom('dnsZones')
    .select('domain')
    .where('ownerId', '=', ownerId)
    .where('verifiedAt', 'is not', null)
    .execute();
  return zones.some((zone) => relativeName(domain, zone.domain) !== undefined);
}

/** Lets one claim to a domain at a time be judged; taken before its row. */
export async function lockDomain(trx: Kysely<Database>, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`custom-domain|${domain}`}, 0))`.execute(trx);
}

/** Somebody's claim to a domain, kept from other changes until the transaction ends; undefined where it is gone. */
export async function lockClaim(
  trx: Kysely<Database>,
  { id, ownerId, domain }: Pick<DomainRow, 'id' | 'ownerId' | 'domain'>,
): Promise<DomainRow | undefined> {
  await lockDomain(trx, domain);
  return trx
    .selectFrom('customDomains')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Judges a claim by what was seen, under `lockDomain`: the problem with it, or null where the domain is its owner's. Who else has it keeps
 * it, unless the internet has the proof of this one and no longer that of the other. The other waits then.
 */
export async function judge(
  trx: Kysely<Database>,
  parts: ProofParts,
  row: DomainRow,
  { texts }: Pick<Seen, 'texts'>,
): Promise<Problem | null> {
  const isSeen = texts?.includes(proofOf(parts, row).value) ?? false;
  const holder = await trx
    .selectFrom('customDomains')
    .select(['id', 'ownerId', 'domain'])
    .where('domain', '=', row.domain)
    .where('provenAt', 'is not', null)
    .where('id', '<>', row.id)
    .executeTakeFirst();
  if (holder) {
    if (!isSeen || texts?.includes(proofOf(parts, holder).value)) return 'taken';
    await trx
      .updateTable('customDomains')
      .set({ provenAt: null, problem: 'taken' })
      .where('ownerId', '=', holder.ownerId)
      .where('id', '=', holder.id)
      .execute();
  }
  if (isSeen || (await isInOwnZone(trx, parts, row))) return null;
  if (texts === undefined) return 'unreachable';
  return texts.length === 0 ? 'missing' : 'mismatch';
}
