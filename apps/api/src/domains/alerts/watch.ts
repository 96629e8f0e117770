import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabaseEngines } from '../databases/engines/engine.ts';
import { readNearLimits } from '../plans/near-limits.ts';
import { backupsFailed, backupsUnproven } from './backups-failed.ts';
import { bytesDamaged } from './bytes-damaged.ts';
import { certificatesEnding, forgetFormerAdmins } from './certificates-ending.ts';
import { type Condition, syncConditions } from './conditions.ts';
import { databasesAway } from './databases-away.ts';
import { databasesNearlyFull } from './databases-nearly-full.ts';
import { limitsNearlyReached, NOT_OVER, storageNearlyFull } from './near-limits.ts';
import { serverBackupsFailing } from './server-backups.ts';

export interface WatchParts extends Pick<Platform, 'db' | 'settings'> {
  servers: DatabaseEngines;
}

/** Shares of what there is, at which it is told: the second is worse. */
const NEARLY_FULL = [0.8, 0.95] as const;
/** Below this share it is over, so that what goes up and down about a threshold is told once. */
const ROOM_AGAIN = 0.75;
/** Minutes that a secondary may be away. */
const SECONDARY_PATIENCE = 10;
const MB = 1024 ** 2;

/** Looks at what lasts, and raises what is not told yet. */
export async function watchConditions({ db, settings, servers }: WatchParts): Promise<void> {
  await forgetFormerAdmins(db);
  await syncConditions(db, 'certificate-ending', await certificatesEnding(db, settings));
  await syncConditions(db, 'disk-nearly-full', await disksNearlyFull(db));
  await syncConditions(db, 'secondary-unreachable', await secondariesAway(db));
  await syncConditions(db, 'database-unavailable', await databasesAway(db, servers));
  await syncConditions(db, 'backup-failed', await backupsFailed(db));
  await syncConditions(db, 'backup-unproven', await backupsUnproven(db));
  await syncConditions(db, 'database-nearly-full', await databasesNearlyFull(db));
  await syncConditions(db, 'bytes-damaged', await bytesDamaged(db));
  await syncConditions(db, 'server-backup-failed', await serverBackupsFailing(db, settings));
}

/** Looks at what each workspace has of what it may, which takes longer. */
export async function watchLimits(parts: WatchParts): Promise<void> {
  const uses = await readNearLimits(parts, NOT_OVER);
  await syncConditions(parts.db, 'storage-nearly-full', storageNearlyFull(uses));
  await syncConditions(parts.db, 'limit-nearly-reached', limitsNearlyReached(uses));
}

/** Which threshold a share has crossed; null between none and the first. */
function levelOf(share: number): number | null {
  const crossed = NEARLY_FULL.filter((threshold) => share >= threshold).length;
  return crossed === 0 ? null : crossed;
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
