import type { AcmeSettings } from '../../core/settings.ts';
import { type ChallengeServer, createChallengeServer } from '../../http/challenge-server.ts';
import { type EngineCheck, healthy, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import { createPublicDns, type PublicDns } from '../../platform/public-dns.ts';
import type { Part } from '../domain.ts';
import { sweepAttempts } from './attempts.ts';
import { readAuthorityRoot } from './authority-root.ts';
import { findAnswer, sweepChallenges } from './challenges.ts';
import { sweepHolds } from './holds.ts';
import { createLibrary, type LoadLibrary } from './library.ts';
import { type Issued, orderCertificate, type Renewed } from './order-certificate.ts';
import { type CertificateOrders, createOrders, type KeepCertificate } from './orders.ts';
import { createOwnCertificates, type OwnCertificates } from './own-certificates.ts';
import { ownCertificatesCheck } from './own-check.ts';
import { openRenewalInfo } from './renewal-info.ts';

/** Certificates of an authority (RFC 8555), for whoever has a name here. */
export interface Certificates extends Part {
  /** Undefined where no authority is set up. Throws `AuthorityProblem` for what it refuses. */
  order: ((wanted: Renewed, signal: AbortSignal) => Promise<Issued>) | undefined;
  /** Undefined as well where no authority is set up. */
  orders: CertificateOrders | undefined;
  /** Those of the server's own names, which are known before it listens. */
  own: OwnCertificates;
  /** Answers the authority, also where another replica waits for that. */
  challenges: ChallengeServer;
}

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'jobs' | 'log'>;

/**
 * Replicas share the account and what the authority asks for. `keep` takes what was issued for people's domains. Throws
 * `SettingError` for a file that cannot be read.
 */
export async function createCertificates(
  platform: Platformed,
  keep: KeepCertificate,
  { publicDns = createPublicDns() }: { publicDns?: PublicDns | undefined } = {},
): Promise<Certificates> {
  const { settings, db, secrets, log } = platform;
  const { acme } = settings;
  const own = createOwnCertificates(platform);
  await own.load();
  const challenges = createChallengeServer({
    findAnswer: (host, token) => findAnswer(db, host, token),
    ...{ settings, log },
  });
  const sweeps = {
    acmeChallenges: () => sweepChallenges(db),
    acmeAttempts: () => sweepAttempts(db),
    acmeHolds: () => sweepHolds(db),
  };
  const always = { own, challenges, sweeps, start: own.start, stop: own.stop };
  if (!acme) return { ...always, order: undefined, orders: undefined };
  const load = createLibrary(acme, await readAuthorityRoot(acme));
  const parts = { db, secrets, acme, load, publicDns, directory: acme.directory };
  const order = (wanted: Renewed, signal: AbortSignal) => orderCertificate(parts, wanted, signal);
  const orders = createOrders({
    ...platform,
    ...{ order, keep, directory: acme.directory },
    openRenewalInfo: () => openRenewalInfo(parts),
  });
  return {
    ...always,
    order,
    orders,
    async start() {
      await own.start();
      await orders.retryOwn();
    },
    engines: () => [authorityCheck(acme, load), ownCertificatesCheck(db, settings)],
  };
}

function authorityCheck({ directory }: AcmeSettings, load: LoadLibrary): EngineCheck {
  const { host } = new URL(directory);
  return {
    id: 'certificate-authority',
    name: 'Certificate authority',
    running: host,
    settings: ['ACME_DIRECTORY', 'ACME_EMAIL', 'ACME_CA_FILE', 'ACME_EAB_KID', 'ACME_EAB_HMAC_KEY'],
    async look() {
      const { axios } = await load();
      const began = performance.now();
      try {
        await axios.get(directory);
      } catch {
        return unhealthy(`${host} doesn't answer as a certificate authority.`);
      }
      return healthy(`Responds in ${Math.max(Math.round(performance.now() - began), 1)} ms.`);
    },
  };
}
