import type { AlertDelivery, AlertKind } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

export interface Told {
  ownerId: string;
  kind: AlertKind;
  alertIds: readonly string[];
  title: string;
}

/** Has an alert told by all channels that are for its kind, once the transaction is committed. */
export async function queueRaised(trx: Kysely<Database>, told: Told): Promise<void> {
  await queue(trx, 'raised', told, sql`true`);
}

/** Has the end of alerts told by those channels that told of them. */
export async function queueRecovered(trx: Kysely<Database>, told: Told): Promise<void> {
  await queue(
    trx,
    'recovered',
    told,
    sql`exists (
      select from alert_deliveries earlier
      where earlier.channel_id = channel.id and earlier.alert_ids && ${told.alertIds}::uuid[]
    )`,
  );
}

/** Whether a channel is for the whole workspace, or for the project of the alerts. */
const isFor = (alertIds: readonly string[]) => sql`(
  channel.project_id is null or exists (
    select from alerts where alerts.id = any(${alertIds}::uuid[]) and alerts.project_id = channel.project_id::text
  ))`;

/** Nobody is told of a workspace that is being deleted, whatever is kept of it, nor by mail who is disabled. */
const HEARS = sql`
  not exists (select from workspaces where workspaces.id = channel.owner_id and closing_since is not null)
  and not exists (select from users where users.id = channel.user_id and disabled_at is not null)`;

async function queue(
  trx: Kysely<Database>,
  event: AlertDelivery['event'],
  { ownerId, kind, alertIds, title }: Told,
  which: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    insert into alert_deliveries (owner_id, channel_id, event, alert_ids, title)
    select owner_id, id, ${event}, ${alertIds}::uuid[], ${title} from alert_channels channel
    where owner_id = ${ownerId} and enabled and ${kind} = any(kinds) and ${isFor(alertIds)} and ${HEARS} and ${which}`.execute(
    trx,
  );
}
