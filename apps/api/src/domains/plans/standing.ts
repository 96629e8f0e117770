import { RENEWAL_GRACE_DAYS } from '@nephos/contracts/constants';
import { sql } from 'kysely';

/** Whether it was cancelled, and its period has passed. A charge whose outcome is unknown may still prolong it. */
const HAS_RUN_OUT = sql`cancel_at_period_end and charging is null and renewal_date <= now()`;

/** Whether a row is someone's subscription now, by the database's clock: then its limits are theirs. */
export const IN_FORCE = sql<boolean>`(status <> 'cancelled' and not (${HAS_RUN_OUT}))`;

/**
 * Whether it is paid for: its period runs, or has passed and nobody knows yet whether the next one is paid. Who is not
 * charged because the provider does not answer, or because no server ran, loses nothing by it for the days of grace. The
 * grace ends, so that a charge which can never be made does not give a plan for ever.
 */
export const IS_PAID = sql<boolean>`(
  ${IN_FORCE} and renewal_date > case status
    when 'active' then now() - make_interval(days => ${RENEWAL_GRACE_DAYS})
    else now()
  end)`;

/** Whether its renewal was asked for, or is due, and is not decided. */
export const IS_RENEWING = sql<boolean>`
  (${IN_FORCE} and status = 'active' and (charging is not null or renewal_date <= now()))`;
