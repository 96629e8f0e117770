import { createSecureContext, type SecureContext } from 'node:tls';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../core/settings.ts';
import type { FindCertificate } from '../../http/tls-server.ts';
import { type ChangeFollower, createChangeFollower } from '../../platform/change-follower.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { AppHost, AppHosts } from '../deployments/engine/serve/app-hosts.ts';
import { keyContext } from './key-context.ts';

/** Which of the own domains lead where, in memory: each request asks. */
export interface HostTable extends Pick<AppHosts, 'find'>, ChangeFollower {
  /** Of a domain at which an app or a site answers. Throws where it cannot be used. */
  certificateFor: FindCertificate;
}

export interface HostTableDeps {
  db: Kysely<Database>;
  notifications: Pick<Notifications, 'subscribe'>;
  settings: Pick<Settings, 'httpsPort'>;
  secrets: Pick<SecretsBox, 'open'>;
  log: Logger;
}

/** What `tell_custom_domain_change()` notifies, with the project's or the bucket's id. */
const CHANNEL = 'custom_domain_changed';

/** A certificate as it is kept, and as TLS takes it once a client asked for it. */
interface Certificate {
  domainId: string;
  chain: string;
  sealedKey: Buffer;
  context?: SecureContext;
}

interface PlacedHost extends AppHost {
  /** The project's or the bucket's id. */
  placeId: string;
  certificate: Certificate | null;
}

interface Found extends PlacedHost {
  domain: string;
}

const placeId = sql<string>`coalesce(own.project_id, own.bucket_id)`;

/** The domains at which apps and sites answer; a redirect waits for its target to be one of them. */
async function readHosts(
  { db, settings }: Pick<HostTableDeps, 'db' | 'settings'>,
  placeIds?: readonly string[],
): Promise<Found[]> {
  const rows = await db
    .selectFrom('customDomains as own')
    .leftJoin('projects', 'projects.id', 'own.projectId')
    .leftJoin('customDomains as primary', (join) =>
      join
        .on(sql`coalesce(${sql.ref('primary.projectId')}, ${sql.ref('primary.bucketId')})`, '=', placeId)
        .on('primary.isPrimary', '=', true)
        .on('primary.provenAt', 'is not', null),
    )
    .leftJoin('domainCertificates as of', 'of.domainId', 'own.id')
    .where('own.provenAt', 'is not', null)
    .$if(placeIds !== undefined, (all) => all.where(placeId, 'in', placeIds ?? []))
    .select(['own.domain', 'own.bucketId', 'own.redirects', 'projects.slug', 'primary.domain as primary'])
    .select(placeId.as('placeId'))
    .select(['own.id as domainId', 'of.chain', 'of.sealedKey', 'of.endsAt', 'of.httpsOnly'])
    .execute();
  return rows.map(({ domain, placeId, bucketId, slug, redirects, primary, ...of }) => {
    const { domainId, chain, sealedKey } = of;
    const isSentOn = settings.httpsPort !== 0 && of.httpsOnly === true;
    return {
      ...{ domain, placeId, bucketId, slug: slug ?? '' },
      redirectTo: redirects ? primary : null,
      httpsUntil: isSentOn ? Date.parse(of.endsAt ?? '') : 0,
      certificate: chain !== null && sealedKey !== null ? { domainId, chain, sealedKey } : null,
    };
  });
}

export function createHostTable(deps: HostTableDeps): HostTable {
  const { notifications, secrets, log } = deps;
  const hosts = new Map<string, PlacedHost>();
  const domains = new Map<string, string[]>();
  /** A domain that went on to another place, which was read before, is left to that. */
  function forget(placeId: string): void {
    for (const domain of domains.get(placeId) ?? []) {
      if (hosts.get(domain)?.placeId === placeId) hosts.delete(domain);
    }
    domains.delete(placeId);
  }

  function put(found: readonly Found[]): void {
    for (const { domain, ...host } of found) {
      hosts.set(domain, host);
      domains.set(host.placeId, [...(domains.get(host.placeId) ?? []), domain]);
    }
  }

  const follower = createChangeFollower({
    ...{ notifications, log, channel: CHANNEL },
    failure: 'own domains could not be read; still serving the previous ones',
    async readAll(changed) {
      changed.clear();
      const found = await readHosts(deps);
      for (const placeId of [...domains.keys()]) forget(placeId);
      put(found);
    },
    async readSome(placeIds) {
      const found = await readHosts(deps, placeIds);
      for (const placeId of placeIds) forget(placeId);
      put(found);
    },
  });

  return {
    ...follower,
    find: (host) => hosts.get(host),
    certificateFor(serverName) {
      const certificate = hosts.get(serverName)?.certificate;
      if (!certificate) return undefined;
      certificate.context ??= contextOf(certificate, secrets);
      return certificate.context;
    },
  };
}

function contextOf({ domainId, chain, sealedKey }: Certificate, { open }: HostTableDeps['secrets']) {
  return createSecureContext({ cert: chain, key: open(sealedKey, keyContext(domainId)) });
}
