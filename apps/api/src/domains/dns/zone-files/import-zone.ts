import type { DnsImportPlan, dns } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import type { Settings } from '../../../core/settings.ts';
import { unservedTargets } from '../alias-targets.ts';
import { saveDifference } from '../changes/save-difference.ts';
import type { DnsParts } from '../dns.ts';
import { type Claim, claimOf } from '../ownership.ts';
import { recordsOfZone } from '../records.ts';
import { nameServersOf } from '../server/name-servers.ts';
import { lockZone, takeNewZone, type ZoneRow, zoneChanged } from '../zones.ts';
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

function shown({ isPartial, ...plan }: ImportPlan, serial: number): DnsImportPlan {
  return { serial, ...plan };
}

/** Refuses with 400 an import that would leave no record, or remove some in favour of lines that were not checked. */
function assertWhole({ domain, mode }: Input, plan: ImportPlan): void {
  let message: string | undefined;
  if (plan.added.length + plan.changed.length + plan.unchanged === 0) {
    message = `No record of the file can be imported to ${domain}.`;
  } else if (mode === 'replace' && plan.isPartial) {
    message = `Not all lines could be checked. Resolve the conflicts before the file replaces the records of ${domain}.`;
  }
  if (message !== undefined) throw invalid(message, [{ path: 'file', message }]);
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
 * it is new. Throws as `claimOf` and `takeZone` do, 400 as `assertWhole` does, and 409 ZONE_CHANGED where the
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
      throw zoneChanged(domain);
    }
    const plan = await planFor(trx, settings, there, input);
    assertWhole(input, plan);
    const zone = there ?? (await takeNewZone(trx, { ...claim, ownerId, domain, name: '@' }));
    await saveDifference(trx, zone, plan, { kind: 'import', userId: user.id });
    return shown(plan, input.serial);
  });
}
