import type { OwnCertificate } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../../platform/engine-check.ts';
import { appsNameOf, readOwnNames } from './own-names.ts';
import { listOwnCertificates } from './own-orders.ts';

/** Tells administrators of the certificates of the console and of apps. */
export function ownCertificatesCheck(db: Kysely<Database>, settings: Settings): EngineCheck {
  return {
    id: 'own-certificates',
    name: 'HTTPS certificates',
    running: `Port ${settings.httpsPort}`,
    settings: ['HTTPS_PORT', 'PUBLIC_URL', 'APPS_DOMAIN'],
    look: () => look(db, settings),
  };
}

async function look(db: Kysely<Database>, settings: Settings): Promise<Finding> {
  const { apps } = await readOwnNames(db, settings);
  const certificates = await listOwnCertificates(db, settings);
  const advice = apps === undefined && appsNameOf(settings) ? adviceOnApps(settings) : '';
  if (certificates.length === 0) {
    return off(advice || "The console and apps below APPS_DOMAIN don't get certificates here.");
  }
  const detail = [stateOf(certificates), advice].filter(Boolean).join(' ');
  const hasFailed = certificates.some(({ error }) => error !== '');
  return { ...(hasFailed ? unhealthy(detail) : healthy(detail)), certificates };
}

function adviceOnApps({ appsDomain }: Settings): string {
  return `Apps answer by HTTP: an administrator's domain under DNS has to have ${appsDomain} for a certificate.`;
}

function stateOf(certificates: readonly OwnCertificate[]): string {
  const failed = certificates.filter(({ error }) => error !== '').map(({ name }) => name);
  if (failed.length > 0) return `No new certificate for ${failed.join(' and ')}.`;
  if (certificates.some(({ endsAt }) => endsAt === null)) return 'Getting certificates.';
  return 'Renewed automatically.';
}
