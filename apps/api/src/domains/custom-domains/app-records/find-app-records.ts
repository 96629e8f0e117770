import { type DnsRecord, hostIn, wholeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import ipaddr from 'ipaddr.js';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';
import { unbracketed } from '../../../platform/public-address.ts';
import { recordsAbout } from '../../dns/records.ts';
import type { CustomDomainsParts } from '../custom-domains.ts';
import { targetOf } from '../look.ts';
import { proofOf } from '../proof.ts';

export type AppRecordsParts = Pick<CustomDomainsParts, 'settings' | 'secrets'>;

export interface AppRecordsInput {
  /** The project. */
  id: string;
  /** Only what concerns this domain of it, without its previews. */
  domain?: string | undefined;
}

/** Types that have a name lead where another one does. */
const ALIASES = ['CNAME', 'ALIAS', 'HTTPS', 'SVCB'] as const;

const ownerOf = ({ name, domain }: DnsRecord) => wholeName(name, domain);

/**
 * An owner's records that would lead nowhere without a project and its previews, or without one domain of it: those that
 * lead to their apps, over however many names, and the proofs of their domains. Addresses count at these domains alone,
 * where they are this server's: elsewhere they say nothing of one app. Throws 404.
 */
export async function findAppRecords(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: AppRecordsParts,
  { id, domain }: AppRecordsInput,
): Promise<DnsRecord[]> {
  const { projectIds, targets, domains, addresses } = await appsOf(db, parts, { ownerId, id, domain });
  const proofs = new Map(domains.map((own) => [own, proofOf(parts, { ownerId, domain: own })]));
  const isProof = (record: DnsRecord, { name, value }: { name: string; value: string }) =>
    record.recordType === 'TXT' && ownerOf(record) === name && record.value === value;
  const names = [...domains, ...[...proofs.values()].map(({ name }) => name)];
  const records = await recordsAbout(db, ownerId, { types: ALIASES, names, projectIds });
  const there = records.filter(
    (record) =>
      (record.projectId !== null && projectIds.includes(record.projectId)) ||
      (domains.includes(ownerOf(record)) && isAddressOf(addresses, record)),
  );
  const hosts = [...targets, ...domains, ...there.map(ownerOf)];
  const leading = [...new Set([...there, ...leadingTo(records, hosts)])];
  if (domain === undefined) {
    const proving = records.filter((record) => [...proofs.values()].some((proof) => isProof(record, proof)));
    return [...leading, ...proving];
  }
  const proof = proofs.get(domain);
  const own = [
    ...leading.filter((record) => ownerOf(record) === domain),
    ...leadingTo(records, [domain]),
    ...records.filter((record) => proof && isProof(record, proof)),
  ];
  return [...new Set(own)];
}

function isAddressOf(addresses: ReadonlySet<string>, { recordType, value }: DnsRecord): boolean {
  return (recordType === 'A' || recordType === 'AAAA') && addresses.has(value);
}

/** Records that lead to one of the hosts, or to a name that does. */
function leadingTo(records: readonly DnsRecord[], hosts: readonly string[]): DnsRecord[] {
  const byHost = Map.groupBy(records, ({ recordType, value }) => hostIn(recordType, value));
  const found = new Set<DnsRecord>();
  const known = [...hosts];
  for (const host of known) {
    for (const record of byHost.get(host) ?? []) {
      if (!found.has(record)) known.push(ownerOf(record));
      found.add(record);
    }
  }
  return [...found];
}

/** What the apps of a project and its previews, or of the project that has a domain, can be led to by. Throws 404. */
async function appsOf(
  db: Kysely<Database>,
  { settings }: AppRecordsParts,
  { ownerId, id, domain }: AppRecordsInput & { ownerId: string },
) {
  const all = await db
    .selectFrom('projects')
    .leftJoin('previews', 'previews.projectId', 'projects.id')
    .select(['projects.id', 'projects.slug'])
    .where('projects.ownerId', '=', ownerId)
    .where(({ eb, or }) => or([eb('projects.id', '=', id), eb('previews.parentId', '=', id)]))
    .execute();
  const projects = domain === undefined ? all : all.filter((project) => project.id === id);
  if (!projects.some((project) => project.id === id)) throw notFound();
  const projectIds = projects.map((project) => project.id);
  const rows = await db
    .selectFrom('customDomains')
    .select(['domain', 'serverAddresses'])
    .where('ownerId', '=', ownerId)
    .where('projectId', 'in', projectIds)
    .execute();
  const domains = rows.map((row) => row.domain);
  if (domain !== undefined && !domains.includes(domain)) throw notFound();
  const own = unbracketed(settings.publicUrl.hostname);
  return {
    projectIds,
    targets: projects.flatMap(({ slug }) => targetOf(settings, slug) ?? []),
    domains,
    addresses: new Set([
      ...rows.flatMap(({ serverAddresses }) => serverAddresses),
      ...(ipaddr.isValid(own) ? [own] : []),
    ]),
  };
}
