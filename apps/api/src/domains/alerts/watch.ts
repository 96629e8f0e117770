import { PLANS } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabaseEngines } from '../databases/engines/engine.ts';
import { planOf } from '../plans/plan.ts';
import { type Condition, syncConditions } from './conditions.ts';

export interface WatchParts extends Pick<Platform, 'db' | 'settings'> {
  servers: DatabaseEngines;
}

/** Shares of what there is, at which it is told: the second is worse. */
const NEARLY_FULL = [0.8, 0.95] as const;
/** Below this share it is over, so that what goes up and down about a threshold is told once. */
const ROOM_AGAIN = 0.75;
/** Days before a certificate's end, at which that is told. */
const DAYS_LEFT = [15, 7, 1] as const;
/** Minutes that a secondary may be away. */
const SECONDARY_PATIENCE = 10;
const MB = 1024 ** 2;
const DAY = 24 * 3600 * 1000;

/** Looks at what lasts, and raises what is not told yet. */
export async function watchConditions({ db, servers }: WatchParts): Promise<void> {
  await syncConditions(db, 'certificate-ending', await certificatesEnding(db));
  await syncConditions(db, 'disk-nearly-full', await disksNearlyFull(db));
  await syncConditions(db, 'secondary-unreachable', await secondariesAway(db));
  await syncConditions(db, 'database-unavailable', await databasesAway(db, servers));
}

/** Looks at the storage of each workspace, which takes longer. */
export async function watchStorage(parts: WatchParts): Promise<void> {
  await syncConditions(parts.db, 'storage-nearly-full', await storageNearlyFull(parts));
}

/** Which threshold a share has crossed; null between none and the first. */
function levelOf(share: number): number | null {
  const crossed = NEARLY_FULL.filter((threshold) => share >= threshold).length;
  return crossed === 0 ? null : crossed;
}

async function certificatesEnding(db: Kysely<Database>): Promise<Condition[]> {
  const soon = sql<boolean>`ends_at < now() + make_interval(days => ${DAYS_LEFT[0]})`;
  const rows = await db
    .selectFrom('domainCertificates')
    .innerJoin('customDomains', 'customDomains.id', 'domainId')
    .select(['domainCertificates.ownerId', 'domainId', 'domain', 'projectId', 'endsAt'])
    .select(sql<string>`now()`.as('now'))
    .where(soon)
    .execute();
  return rows.map(({ ownerId, domainId, domain, projectId, endsAt, now }) => {
    const days = (Date.parse(endsAt) - Date.parse(now)) / DAY;
    const left = days < 0 ? 'has expired' : `expires on ${endsAt.slice(0, 10)}`;
    return {
      ownerId,
      subject: { kind: 'domain', id: domainId, name: domain },
      text: `The certificate of ${domain} ${left}. Browsers warn visitors after that.`,
      path: `/projects/${projectId}/settings`,
      level: DAYS_LEFT.filter((most) => days <= most).length,
    };
  });
}

async function disksNearlyFull(db: Kysely<Database>): Promise<Condition[]> {
  const rows = await db
    .selectFrom('projectDisks')
    .innerJoin('projects', 'projects.id', 'projectId')
    .select(['projectDisks.ownerId', 'projectDisks.id', 'projectDisks.name', 'projectId', 'size', 'bytes'])
    .select('projects.name as project')
    .where(sql<boolean>`bytes >= size::float8 * ${MB} * ${ROOM_AGAIN}`)
    .execute();
  return rows.map(({ ownerId, id, name, project, projectId, size, bytes }) => ({
    ownerId,
    subject: { kind: 'disk', id, name: `${name} of ${project}` },
    text: `The disk ${name} of ${project} holds ${byteSize(bytes)} of ${byteSize(size * MB)}. Make it larger, or delete files.`,
    path: `/projects/${projectId}/settings`,
    level: levelOf(bytes / (size * MB)),
  }));
}

async function secondariesAway(db: Kysely<Database>): Promise<Condition[]> {
  const rows = await db
    .selectFrom('dnsSecondaries')
    .innerJoin('dnsZones', 'dnsZones.id', 'zoneId')
    .select(['dnsSecondaries.ownerId', 'dnsSecondaries.id', 'address', 'domain', 'problem'])
    .where('failingSince', '<', sql<string>`now() - make_interval(mins => ${SECONDARY_PATIENCE})`)
    .execute();
  return rows.map(({ ownerId, id, address, domain, problem }) => ({
    ownerId,
    subject: { kind: 'secondary', id, name: `${address} for ${domain}` },
    text: `The secondary name server ${address} of ${domain} isn't reached. ${problem}`,
    path: `/dns?domain=${domain}`,
    level: 1,
  }));
}

/** Databases that could not be made, and those whose server is away. */
async function databasesAway(db: Kysely<Database>, servers: DatabaseEngines): Promise<Condition[]> {
  const away: DatabaseEngines['mysql']['type'][] = [];
  for (const server of Object.values(servers)) {
    if (server.isAway || (await isAway(db, server))) away.push(server.type);
  }
  const rows = await db
    .selectFrom('managedDatabases')
    .select(['ownerId', 'id', 'name', 'type', 'status', 'error', 'engineName'])
    .where(({ eb, or, and }) =>
      or([
        eb('status', '=', 'failed'),
        and([eb('status', '=', 'available'), eb('type', '=', sql<(typeof away)[number]>`any(${away})`)]),
      ]),
    )
    .execute();
  // Where databases have servers of their own, one may be away while the others are not. None is woken to be asked.
  const unavailable = rows.filter(
    ({ status, type, engineName }) => status === 'failed' || (servers[type].isAway?.(engineName) ?? true),
  );
  return unavailable.map(({ ownerId, id, name, status, error }) => ({
    ownerId,
    subject: { kind: 'database', id, name },
    text:
      status === 'failed'
        ? `The database ${name} could not be created. ${error}`
        : `The database ${name} can't be reached: its server doesn't respond.`,
    path: `/databases/${id}`,
    level: 1,
  }));
}

/** Whether a server that has databases does not answer for the newest of them. */
async function isAway(db: Kysely<Database>, server: DatabaseEngines['mysql']): Promise<boolean> {
  const one = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .where('type', '=', server.type)
    .where('status', '=', 'available')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!one) return false;
  try {
    await server.usage(one.engineName);
    return false;
  } catch {
    return true;
  }
}

async function storageNearlyFull({ db, settings }: WatchParts): Promise<Condition[]> {
  if (!settings.billing) return [];
  const least = Math.min(...Object.values(PLANS).map(({ storage }) => storage)) * ROOM_AGAIN;
  const { rows } = await sql<{ id: string; used: number }>`
    select workspaces.id, (stored + unfinished)::float8 as used from workspaces, lateral storage_of(workspaces.id)
    where stored + unfinished >= ${least}`.execute(db);
  const conditions: Condition[] = [];
  for (const { id, used } of rows) {
    const plan = await planOf({ db, settings }, id);
    if (used < plan.storage * ROOM_AGAIN) continue;
    conditions.push({
      ownerId: id,
      subject: { kind: 'storage', id, name: 'Storage' },
      text: `${byteSize(used)} of ${byteSize(plan.storage)} of your plan's storage are in use. Delete files or images, or change the plan.`,
      path: '/storage',
      level: levelOf(used / plan.storage),
    });
  }
  return conditions;
}
