import { type dns, wholeName } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import type { Settings } from '../../../core/env.ts';
import { recordsOfZone } from '../records.ts';
import { nameServersOf } from '../server/name-servers.ts';
import { zoneFile } from '../server/zone-file.ts';
import { findZone } from '../zone-list.ts';

/** A zone of theirs as a file to save. Throws 404. */
export async function exportZone(
  ctx: UserContext,
  settings: Settings,
  { domain }: z.output<typeof dns.zoneFile.input>,
) {
  const zone = await findZone(ctx, domain);
  const stored = await recordsOfZone(ctx.db, zone);
  const records = stored.map(({ name, recordType, value, ttl }) => {
    return { owner: wholeName(name, domain), type: recordType, value, ttl };
  });
  const text = zoneFile({ domain, serial: zone.serial, records }, nameServersOf(settings));
  return { type: 'text/dns; charset=utf-8', fileName: `${domain}.zone`, body: () => text };
}
