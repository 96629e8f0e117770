import type { CustomDomain, DomainCertificate } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { httpAddress, httpsAddress } from '../../platform/host-address.ts';
import type { CustomDomainsParts } from './custom-domains.ts';
import { type DomainRow, proofOf } from './proof.ts';

type ShowParts = Pick<CustomDomainsParts, 'settings' | 'secrets'>;

/** What is told of a domain's https. */
type Https = Pick<CustomDomain, 'certificate' | 'issuance'>;

/** A row as the contract shows it. */
export async function showDomain(
  db: Kysely<Database>,
  parts: ShowParts,
  row: DomainRow,
): Promise<CustomDomain> {
  const https = await httpsOf(db, row.ownerId, [row.id]);
  return domainOf(parts, row, https.get(row.id));
}

/** An owner's rows as the contract shows them. */
export async function showDomains(
  db: Kysely<Database>,
  parts: ShowParts,
  rows: readonly DomainRow[],
): Promise<CustomDomain[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map(({ id }) => id);
  const https = await httpsOf(db, first.ownerId, ids);
  return rows.map((row) => domainOf(parts, row, https.get(row.id)));
}

async function httpsOf(
  db: Kysely<Database>,
  ownerId: string,
  domainIds: readonly string[],
): Promise<Map<string, Https>> {
  const found = await db
    .selectFrom('customDomains as own')
    .leftJoin('domainCertificates as of', 'of.domainId', 'own.id')
    .leftJoin('certificateOrders as order', 'order.domainId', 'own.id')
    .select(['own.id', 'issuer', 'endsAt', 'httpsOnly', 'managed', 'error', 'dueAt'])
    .select(sql<boolean>`ends_at <= now()`.as('isExpired'))
    .where('own.ownerId', '=', ownerId)
    .where('own.id', 'in', domainIds)
    .execute();
  return new Map(
    found.map(({ id, error, dueAt, issuer, endsAt, httpsOnly, managed, isExpired }) => [
      id,
      {
        certificate:
          issuer !== null && endsAt !== null && httpsOnly !== null && managed !== null
            ? { issuer, endsAt, isExpired, httpsOnly, managed }
            : null,
        issuance: error !== null && dueAt !== null ? { error, dueAt } : null,
      },
    ]),
  );
}

function domainOf(
  parts: ShowParts,
  row: DomainRow,
  { certificate, issuance }: Https = { certificate: null, issuance: null },
): CustomDomain {
  const { id, domain, isPrimary, redirects, pointsHere, checkedAt, createdAt } = row;
  const verification = proofOf(parts, row);
  return {
    ...{ id, domain, isPrimary, redirects, verification, pointsHere, checkedAt, createdAt },
    url: addressOf(parts.settings, domain, certificate),
    status: row.provenAt === null ? 'pending' : 'active',
    reason: reasonOf(row, verification.name),
    certificate,
    issuance: parts.settings.acme && row.provenAt !== null ? issuance : null,
  };
}

/** By https where we have a certificate; else as the console's own address, unless https is ours alone. */
function addressOf(settings: Settings, domain: string, certificate: DomainCertificate | null): string {
  const { httpsPort, publicUrl } = settings;
  if (httpsPort === 0) return new URL(`${publicUrl.protocol}//${domain}:${publicUrl.port}`).origin;
  if (certificate && !certificate.isExpired) return httpsAddress(settings, domain);
  return httpAddress(settings, domain);
}

/** What is wrong with a domain's proof, and what to do. */
function reasonOf({ problem, provenAt, domain }: DomainRow, name: string): string {
  const isActive = provenAt !== null;
  const keep = isActive ? ' The domain still works, but others can take it: set the record again.' : '';
  switch (problem) {
    case null:
      return '';
    case 'missing':
      return isActive
        ? `The TXT record ${name} is gone.${keep}`
        : `No TXT record was found at ${name}. DNS changes can take a while to propagate.`;
    case 'mismatch':
      return `The TXT record ${name} has another value.${keep || ' Set it to the one shown here.'}`;
    case 'unreachable':
      return `The DNS servers for ${domain} didn't answer. Check that the domain exists and its name servers work.`;
    case 'taken':
      return 'Another workspace has this domain. If you own it, set the TXT record to the value shown here, with no other value.';
  }
}
