import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/env.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../../platform/engine-check.ts';
import { appsNameOf, readOwnNames } from './own-names.ts';

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
  const { console, apps } = await readOwnNames(db, settings);
  const names = [console, apps].filter((name) => name !== undefined);
  const advice = apps === undefined && appsNameOf(settings) ? adviceOnApps(settings) : '';
  if (names.length === 0) {
    return off(advice || "The console and apps below APPS_DOMAIN don't get certificates here.");
  }
  const states = await db
    .selectFrom('certificateOrders')
    .leftJoin('ownCertificates', 'ownCertificates.name', 'certificateOrders.name')
    .select(['certificateOrders.name', 'error', 'endsAt', 'dueAt'])
    .where('domainId', 'is', null)
    .where('certificateOrders.name', 'in', names)
    .execute();
  const texts = names.map((name) =>
    stateOf(
      name,
      states.find((state) => state.name === name),
    ),
  );
  const detail = [...texts, advice].filter(Boolean).join(' ');
  return states.some(({ error }) => error !== '') ? unhealthy(detail) : healthy(detail);
}

function adviceOnApps({ appsDomain }: Settings): string {
  return `Apps answer by HTTP: an administrator's domain under DNS has to have ${appsDomain} for a certificate.`;
}

interface OrderState {
  error: string;
  endsAt: string | null;
  /** When it is tried next. */
  dueAt: string;
}

function stateOf(name: string, state: OrderState | undefined): string {
  const held = state?.endsAt
    ? `${name}: valid until ${state.endsAt.slice(0, 10)}.`
    : `${name}: no certificate yet.`;
  if (!state?.error) return held;
  const [day, time] = [state.dueAt.slice(0, 10), state.dueAt.slice(11, 16)];
  return `${held} ${state.error} Next try: ${day} ${time} UTC, or soon after a restart.`;
}
