import { sql } from 'kysely';

/** Who demands a second factor of somebody: the whole installation, or a workspace of its members. */
export type FactorDemander = 'installation' | 'workspace';

/** Whether a password alone does not let a person in. Of a row of `users`. */
export const HAS_SECOND_FACTOR = sql<boolean>`(
  exists (select from totp_secrets where totp_secrets.user_id = users.id and totp_secrets.confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = users.id))`;

/** Whether everybody has to have one. */
export const DEMANDED_OF_ALL = sql<boolean>`coalesce(
  (select installation_settings.demands_second_factor from installation_settings), false)`;

/**
 * Who demands a second factor that the person lacks; null where nobody does. Of a row of `users` and one of `workspaces`,
 * which may be missing. What a person has is looked up only where one is demanded.
 */
export const FACTOR_DEMANDED_BY = sql<FactorDemander | null>`case
  when users.service then null
  when not ${DEMANDED_OF_ALL} and not coalesce(workspaces.demands_second_factor, false) then null
  when ${HAS_SECOND_FACTOR} then null
  when ${DEMANDED_OF_ALL} then 'installation'
  else 'workspace' end`;
