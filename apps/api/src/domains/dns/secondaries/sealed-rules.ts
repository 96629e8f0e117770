import type { Database } from '@nephos/db';
import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Logger } from 'pino';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import type { TransferRules } from '../server/transfer/transfer-sources.ts';

/** Who may copy a zone, as the database has it. */
export interface SealedRules {
  /** Its secret is sealed, and in base64. */
  transferKey: { name: string; secret: string } | null;
  secondaries: readonly { address: string }[];
}

export function sealedRules(zone: ExpressionBuilder<Database, 'dnsZones'>) {
  return [
    jsonObjectFrom(
      zone
        .selectFrom('dnsTransferKeys')
        .whereRef('dnsTransferKeys.zoneId', '=', 'dnsZones.id')
        .select(['name', sql<string>`encode(sealed_secret, 'base64')`.as('secret')]),
    ).as('transferKey'),
    jsonArrayFrom(
      zone
        .selectFrom('dnsSecondaries')
        .whereRef('dnsSecondaries.zoneId', '=', 'dnsZones.id')
        .select('address'),
    ).as('secondaries'),
  ] as const;
}

/** What a key's secret is sealed for. */
export function keyContext(zoneId: string): string {
  return `${zoneId}:transfer key`;
}

/** The rules as the name server takes them. A key that cannot be read is logged, and then nobody may copy the zone. */
export function openSealedRules(
  secrets: Pick<SecretsBox, 'open'>,
  { id, domain, transferKey: key, secondaries }: SealedRules & { id: string; domain: string },
  log: Logger,
): TransferRules | undefined {
  if (!key || secondaries.length === 0) return undefined;
  try {
    const secret = secrets.open(Buffer.from(key.secret, 'base64'), keyContext(id));
    return { key: { name: key.name, secret }, addresses: secondaries.map(({ address }) => address) };
  } catch (error) {
    log.error({ err: error, domain }, 'the transfer key of a zone cannot be read: a new one has to be made');
    return undefined;
  }
}
