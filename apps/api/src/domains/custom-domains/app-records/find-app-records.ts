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
import { columnOf, domainsOf, labelOf, type Place } from '../place.ts';
import { proofOf } from '../proof.ts';

export type AppRecordsParts = Pick<CustomDomainsParts, 'settings' | 'secrets'>;

export interface AppRecordsInput extends Place {
  /** Only what concerns this domain of it, without the previews of a project; of a bucket always one. */
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
  { domain, ...place }: AppRecordsInput,
): Promise<DnsRecord[]> {
  const column = columnOf(place);
  const { ids, targets, domains, addresses } = await appsOf({ db, ownerId }, parts, { ...place, domain });
  const proofs = new Map(domains.map((own) => [own, proofOf(parts, { ownerId, domain: own })]));
  const isProof = (record: DnsRecord, { name, value }: { name: string; value: string }) =>
    record.recordType === 'TXT' && ownerOf(record) === name && record.value === value;
  const names = [...domains, ...[...proofs.values()].map(({ name }) => name)];
  const records = await recordsAbout(db, ownerId, { types: ALIASES, names, [column]: ids });
  const there = records.filter(
    (record) =>
      ids.includes(record[column] ?? '') ||
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

/** What leads to a place, and to the previews of a project where no domain is named. Throws 404. */
async function appsOf(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  { settings }: AppRecordsParts,
  { domain, ...place }: AppRecordsInput,
) {
  const label = await labelOf({ db, ownerId }, place);
  const previews =
    place.kind === 'project' && domain === undefined ? await previewsOf(db, ownerId, place.id) : [];
  const ids = [place.id, ...previews.map(({ id }) => id)];
  const rows = await domainsOf(db, ownerId, { ...place, id: ids }).execute();
  const domains = rows.map((row) => row.domain);
  if (domain !== undefined && !domains.includes(domain)) throw notFound();
  const own = unbracketed(settings.publicUrl.hostname);
  return {
    ids,
    targets: [label, ...previews.map(({ slug }) => slug)].flatMap((one) => targetOf(settings, one) ?? []),
    domains,
    addresses: new Set([
      ...rows.flatMap(({ serverAddresses }) => serverAddresses),
      ...(ipaddr.isValid(own) ? [own] : []),
    ]),
  };
}

function previewsOf(db: Kysely<Database>, ownerId: string, parentId: string) {
  return db
    .selectFrom('previews')
    .innerJoin('projects', 'projects.id', 'previews.projectId')
    .select(['projects.id', 'projects.slug'])
    .where('projects.ownerId', '=', ownerId)
    .where('previews.parentId', '=', parentId)
    .execute();
}
