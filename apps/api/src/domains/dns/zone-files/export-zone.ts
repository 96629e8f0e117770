import type { dns } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';
import type { Settings } from '../../../core/settings.ts';
import { nameServersOf } from '../server/name-servers.ts';
import { zoneFile } from '../server/zone-file.ts';
import { withRecords, zoneDataOf } from '../server/zone-reader.ts';

/** A zone of theirs as a file to save. Throws 404. */
export async function exportZone(
  ctx: UserContext,
  settings: Settings,
  { domain }: z.output<typeof dns.zoneFile.input>,
) {
  const zone = await ctx.db
    .selectFrom('dnsZones')
    .where('ownerId', '=', ctx.ownerId)
    .where('domain', '=', domain)
    .select(withRecords)
    .executeTakeFirst();
  if (!zone) throw notFound();
  const text = zoneFile(zoneDataOf(zone), nameServersOf(settings));
  return { type: 'text/dns; charset=utf-8', fileName: `${domain}.zone`, body: () => text };
}
