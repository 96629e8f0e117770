import type { FactorDemand, Factors } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { conflict } from '../../../core/errors.ts';
import { lockAccount } from '../../../platform/account-lock.ts';
import { DEMANDED_OF_ALL, HAS_SECOND_FACTOR } from '../../../platform/factor-demands.ts';
import { WORKSPACE_NAME } from '../../workspaces/workspace-columns.ts';
import { ACCESS_ENDED } from '../end-access.ts';
import { hasSecondFactor } from './factors.ts';

/** Of whom one is demanded: the members of the workspace with this id, or everybody where it is null. */
type Demanded = string | null;

/** Those who have none. */
function lacking(db: Kysely<Database>, of: Demanded) {
  return db
    .selectFrom('users')
    .where('users.service', '=', false)
    .where('users.disabledAt', 'is', null)
    .where(sql<boolean>`not ${HAS_SECOND_FACTOR}`)
    .$if(of !== null, (people) =>
      people.where('users.id', 'in', (members) =>
        members.selectFrom('workspaceMembers').select('userId').where('workspaceId', '=', of),
      ),
    );
}

async function isDemanded(db: Kysely<Database>, of: Demanded): Promise<boolean> {
  if (of === null) {
    const row = await db.selectNoFrom(DEMANDED_OF_ALL.as('demanded')).executeTakeFirstOrThrow();
    return row.demanded;
  }
  const { demandsSecondFactor } = await db
    .selectFrom('workspaces')
    .select('demandsSecondFactor')
    .where('id', '=', of)
    .executeTakeFirstOrThrow();
  return demandsSecondFactor;
}

export async function readDemand({ db }: Pick<UserContext, 'db'>, of: Demanded): Promise<FactorDemand> {
  const { count } = await lacking(db, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { demanded: await isDemanded(db, of), lacking: count };
}

/**
 * Demands a second factor, or no longer; whoever lacks one is hung up on. Throws 409 NO_SECOND_FACTOR for who has none,
 * and would be kept out first.
 */
export function changeDemand(
  { db, user, audit }: UserContext,
  of: Demanded,
  demanded: boolean,
): Promise<FactorDemand> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    if (demanded && !(await hasSecondFactor(trx, user.id))) {
      throw conflict('NO_SECOND_FACTOR', 'Set up two-step login on your Account page first.');
    }
    const before = { demanded: await isDemanded(trx, of) };
    await store(trx, of, { demanded, by: user.id });
    if (demanded) await hangUpOnLacking(trx, of);
    audit.note({ before, after: { demanded } });
    return readDemand({ db: trx }, of);
  });
}

async function store(
  trx: Kysely<Database>,
  of: Demanded,
  { demanded, by }: { demanded: boolean; by: string },
): Promise<void> {
  const set = { demandsSecondFactor: demanded };
  if (of !== null) {
    await trx.updateTable('workspaces').set(set).where('id', '=', of).execute();
    return;
  }
  const decided = { ...set, changedAt: sql<string>`now()`, changedBy: by };
  await trx
    .insertInto('installationSettings')
    .values(decided)
    .onConflict((row) => row.column('id').doUpdateSet(decided))
    .execute();
}

/** Once the transaction commits; who is not logged in reads nothing. */
async function hangUpOnLacking(trx: Kysely<Database>, of: Demanded): Promise<void> {
  await lacking(trx, of)
    .select(sql`pg_notify(${ACCESS_ENDED}, users.id::text)`.as('told'))
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('sessions').select('sessions.id').whereRef('sessions.userId', '=', 'users.id')),
        exists(
          selectFrom('accessTokens')
            .select('accessTokens.id')
            .whereRef('accessTokens.userId', '=', 'users.id'),
        ),
      ]),
    )
    .execute();
}

/** Who demands a second factor of a person, whether or not they have one. */
export async function demandersOf(db: Kysely<Database>, userId: string): Promise<Factors['demandedBy']> {
  const rows = await db
    .selectFrom('workspaceMembers')
    .innerJoin('workspaces', 'workspaces.id', 'workspaceMembers.workspaceId')
    .select(WORKSPACE_NAME.as('name'))
    .where('workspaceMembers.userId', '=', userId)
    .where('workspaces.demandsSecondFactor', '=', true)
    .orderBy('name')
    .execute();
  return { installation: await isDemanded(db, null), workspaces: rows.map(({ name }) => name) };
}
