import { createSecureContext, type SecureContext } from 'node:tls';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../core/env.ts';
import type { FindCertificate } from '../../http/tls-server.ts';
import { type ChangeFollower, createChangeFollower } from '../../platform/change-follower.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { AppHost, AppHosts } from '../deployments/engine/serve/app-hosts.ts';
import { keyContext } from './key-context.ts';

/** Which of the own domains lead where, in memory: each request asks. */
export interface HostTable extends Pick<AppHosts, 'find'>, ChangeFollower {
  /** Of a domain at which an app answers. Throws where it cannot be used. */
  certificateFor: FindCertificate;
}

export interface HostTableDeps {
  db: Kysely<Database>;
  notifications: Pick<Notifications, 'subscribe'>;
  settings: Pick<Settings, 'httpsPort'>;
  secrets: Pick<SecretsBox, 'open'>;
  log: Logger;
}

/** What `tell_custom_domain_change()` notifies, with the project's id. */
const CHANNEL = 'custom_domain_changed';

/** A certificate as it is kept, and as TLS takes it once a client asked for it. */
interface Certificate {
  domainId: string;
  chain: string;
  sealedKey: Buffer;
  context?: SecureContext;
}

interface ProjectHost extends AppHost {
  projectId: string;
  certificate: Certificate | null;
}

interface Found extends ProjectHost {
  domain: string;
}

/** The domains at which apps answer; a redirect waits for its target to be one of them. */
async function readHosts(
  { db, settings }: Pick<HostTableDeps, 'db' | 'settings'>,
  projectIds?: readonly string[],
): Promise<Found[]> {
  const rows = await db
    .selectFrom('customDomains as own')
    .innerJoin('projects', 'projects.id', 'own.projectId')
    .leftJoin('customDomains as primary', (join) =>
      join
        .onRef('primary.projectId', '=', 'own.projectId')
        .on('primary.isPrimary', '=', true)
        .on('primary.provenAt', 'is not', null),
    )
    .leftJoin('domainCertificates as of', 'of.domainId', 'own.id')
    .where('own.provenAt', 'is not', null)
    .$if(projectIds !== undefined, (all) => all.where('own.projectId', 'in', projectIds ?? []))
    .select(['own.domain', 'own.projectId', 'own.redirects', 'projects.slug', 'primary.domain as primary'])
    .select(['own.id as domainId', 'of.chain', 'of.sealedKey', 'of.endsAt', 'of.httpsOnly'])
    .execute();
  return rows.map(({ domain, projectId, slug, redirects, primary, ...of }) => {
    const { domainId, chain, sealedKey } = of;
    const isSentOn = settings.httpsPort !== 0 && of.httpsOnly === true;
    return {
      ...{ domain, projectId, slug },
      redirectTo: redirects ? primary : null,
      httpsUntil: isSentOn ? Date.parse(of.endsAt ?? '') : 0,
      certificate: chain !== null && sealedKey !== null ? { domainId, chain, sealedKey } : null,
    };
  });
}

export function createHostTable(deps: HostTableDeps): HostTable {
  const { notifications, secrets, log } = deps;
  const hosts = new Map<string, ProjectHost>();
  const domains = new Map<string, string[]>();
  /** A domain that went on to another project, which was read before, is left to that. */
  function forget(projectId: string): void {
    for (const domain of domains.get(projectId) ?? []) {
      if (hosts.get(domain)?.projectId === projectId) hosts.delete(domain);
    }
    domains.delete(projectId);
  }

  function put(found: readonly Found[]): void {
    for (const { domain, ...host } of found) {
      hosts.set(domain, host);
      domains.set(host.projectId, [...(domains.get(host.projectId) ?? []), domain]);
    }
  }

  const follower = createChangeFollower({
    ...{ notifications, log, channel: CHANNEL },
    failure: 'own domains could not be read; still serving the previous ones',
    async readAll(changed) {
      changed.clear();
      const found = await readHosts(deps);
      for (const projectId of [...domains.keys()]) forget(projectId);
      put(found);
    },
    async readSome(projectIds) {
      const found = await readHosts(deps, projectIds);
      for (const projectId of projectIds) forget(projectId);
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
