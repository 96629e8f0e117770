import {
  LIMITED,
  type Limited,
  MAX_DATABASES,
  MAX_VIRTUAL_ACCOUNTS,
  MAX_ZONES,
} from '@nephos/contracts/constants';
import { type Database, type Parameter, prepare } from '@nephos/db';
import type { Expression, Kysely, SqlBool } from 'kysely';
import { forbidden } from '../../core/errors.ts';
import { countOwned, lockAccount } from '../../platform/account-lock.ts';
import { OPEN_ACCOUNTS } from '../payment-gateway/open-accounts.ts';

/** What is limited alike in every plan, by how many there may be where no admin set another limit. */
export const STANDARD = {
  databases: MAX_DATABASES,
  dnsZones: MAX_ZONES,
  virtualAccounts: MAX_VIRTUAL_ACCOUNTS,
} as const;

type Standard = keyof typeof STANDARD;

/** Where what is limited is counted. */
export const COUNTED: Readonly<
  Record<Standard | 'projects' | 'previews', { table: Counted; only?: Expression<SqlBool> }>
> = {
  projects: { table: 'projects' },
  previews: { table: 'previews' },
  databases: { table: 'managedDatabases' },
  dnsZones: { table: 'dnsZones' },
  virtualAccounts: { table: 'virtualAccounts', only: OPEN_ACCOUNTS },
};
type Counted = Parameters<typeof countOwned>[1];

/** What an admin set for an owner, by what it limits; null where none did. */
export type SetLimits = Record<Limited, number | null>;

export const NO_LIMITS: SetLimits = {
  projects: null,
  previews: null,
  workspaces: null,
  databases: null,
  dnsZones: null,
  virtualAccounts: null,
  storage: null,
};

const setLimits = prepare((db, parameter: Parameter<{ ownerId: string }>) =>
  db.selectFrom('workspaceLimits').select(LIMITED).where('ownerId', '=', parameter('ownerId')).compile(),
);

export async function readSetLimits(db: Kysely<Database>, ownerId: string): Promise<SetLimits> {
  const [row] = await setLimits(db, { ownerId });
  return row ?? NO_LIMITS;
}

/** How many of something an owner has, of those that count. */
export function countLimited(
  db: Kysely<Database>,
  name: keyof typeof COUNTED,
  ownerId: string,
): Promise<number> {
  const { table, only } = COUNTED[name];
  return countOwned(db, table, ownerId, only);
}

/**
 * Locks an account, and throws 403, PLAN_LIMIT_REACHED or another `code`, with the sentence that `refusal` makes of the limit where it is
 * reached: of calls at the same time only those pass for which there is room.
 */
export async function assertLimit(
  trx: Kysely<Database>,
  ownerId: string,
  {
    of,
    refusal,
    code = 'PLAN_LIMIT_REACHED',
  }: { of: Standard; refusal: (most: number) => string; code?: string },
): Promise<void> {
  await lockAccount(trx, ownerId);
  const most = (await readSetLimits(trx, ownerId))[of] ?? STANDARD[of];
  if ((await countLimited(trx, of, ownerId)) >= most) throw forbidden(code, refusal(most));
}
