import type { DnsImportPlan, dns } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import type { Settings } from '../../../core/env.ts';
import { conflict, invalid } from '../../../core/errors.ts';
import { unservedTargets } from '../alias-targets.ts';
import { saveDifference } from '../changes/save-difference.ts';
import type { DnsParts } from '../dns.ts';
import { type Claim, claimOf } from '../ownership.ts';
import { recordsOfZone } from '../records.ts';
import { nameServersOf } from '../server/name-servers.ts';
import { lockZone, takeZone, type ZoneRow } from '../zones.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { readZoneFile } from './read-zone-file.ts';

type Input = z.output<typeof dns.planImport.input>;

/** What an import would change. Throws 400 where nothing of the file is of use. */
export async function showImport(
  { db, ownerId }: UserContext,
  settings: Settings,
  input: Input,
): Promise<DnsImportPlan> {
  const zone = await db
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('domain', '=', input.domain)
    .executeTakeFirst();
  return shown(await planFor(db, settings, zone, input), zone?.serial ?? 0);
}

function shown(plan: ImportPlan, serial: number): DnsImportPlan {
  return { serial, ...plan };
}

async function planFor(
  db: Kysely<Database>,
  settings: Settings,
  zone: ZoneRow | undefined,
  { domain, file, mode }: Input,
): Promise<ImportPlan> {
  const read = readZoneFile(file, domain);
  const existing = zone ? await recordsOfZone(db, zone) : [];
  const refusedAliases = await unservedTargets(db, domain, read.records);
  const nameServers = nameServersOf(settings);
  return planImport(existing, read, { domain, mode, nameServers, refusedAliases });
}

/**
 * Imports a file as its plan says, once per key, in one transaction and one change of the serial. Takes the domain where
 * it is new. Throws as `claimOf` and `takeZone` do, 400 where no record would be left, and 409 ZONE_CHANGED where the
 * zone is not that of the plan which was looked at.
 */
export async function importZone(
  ctx: UserContext,
  parts: DnsParts,
  input: z.output<typeof dns.importZone.input>,
  once: Once<UserContext>,
) {
  const claim = await claimOf(ctx, parts, input.domain);
  return once((inner) => applyImport(inner, parts.settings, input, claim));
}

async function applyImport(
  { db, user, ownerId }: UserContext,
  settings: Settings,
  input: z.output<typeof dns.importZone.input>,
  claim: Claim,
): Promise<DnsImportPlan> {
  const { domain } = input;
  return atomically(db, async (trx) => {
    const there = await lockZone(trx, ownerId, domain);
    if ((there?.serial ?? 0) !== input.serial) {
      throw conflict('ZONE_CHANGED', `${domain} has changed since. Look at the import again.`);
    }
    const plan = await planFor(trx, settings, there, input);
    if (plan.added.length + plan.changed.length + plan.unchanged === 0) {
      const message = `No record of the file can be imported to ${domain}.`;
      throw invalid(message, [{ path: 'file', message }]);
    }
    const zone = there ?? (await takeZone(trx, { ...claim, ownerId, domain, name: '@' })).zone;
    await saveDifference(trx, zone, plan, { kind: 'import', userId: user.id });
    return shown(plan, input.serial);
  });
}
