import type { PersonContents, people } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts';
import { lockAccounts } from '../auth/accounts.ts';
import { endAccess } from '../auth/end-access.ts';
import { assertMayOwn } from '../plans/owned-workspaces.ts';
import type { Plans } from '../plans/plan.ts';
import { closeWorkspace, type RemovalParts, readContents } from '../workspaces/removal.ts';
import { WORKSPACE_NAME } from '../workspaces/workspace-columns.ts';
import { type HeldPerson, holdPeople } from './hold-people.ts';

type Removal = z.output<typeof people.removeUser.input>;

/** Characters that a workspace's name has at most. */
const NAME_MAX = 60;

/** Shared workspaces that nobody but one person owns, by name. */
function ownedAlone(db: Kysely<Database>, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('workspaceMembers as own')
    .innerJoin('workspaces', 'workspaces.id', 'own.workspaceId')
    .select(['workspaces.id', WORKSPACE_NAME.as('name')])
    .where('own.userId', '=', userId)
    .where('own.role', '=', 'owner')
    .where('workspaces.personal', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workspaceMembers as other')
            .select('other.userId')
            .whereRef('other.workspaceId', '=', 'own.workspaceId')
            .where('other.role', '=', 'owner')
            .where('other.userId', '<>', userId),
        ),
      ),
    )
    .orderBy(sql`lower(${WORKSPACE_NAME})`)
    .orderBy('workspaces.id')
    .execute();
}

/** What goes along with a person, and what is handed over. Throws 404. */
export async function contentsOfPerson(
  { db }: UserContext,
  { userId }: { userId: string },
): Promise<PersonContents> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('service', '=', false)
    .executeTakeFirst();
  if (!person) throw notFound();
  const alone = await ownedAlone(db, userId);
  return { ...(await readContents(db, userId)), ownedAlone: alone.map(({ name }) => name) };
}

/**
 * Deletes somebody, whose own workspace goes along or is handed over; what is in the books stays there. Whoever calls is
 * an admin and stays one. Throws 403, also for oneself, 404, 400 for another address and for nobody to hand over to, and
 * 409 LAST_OWNER, NOT_EMPTY, and LIMIT where who gets it may not own so many workspaces.
 */
export function removePerson(
  ctx: UserContext,
  { settings, ...parts }: RemovalParts & Pick<Plans, 'settings'>,
  { userId, email, things, handOverTo }: Removal,
): Promise<{ success: true }> {
  if (userId === ctx.user.id) throw forbidden('OWN_ACCOUNT', "You can't delete your own account.");
  return atomically(ctx.db, async (trx) => {
    // One deletion at a time: who gets something is not deleted meanwhile.
    await lockAccounts(trx);
    // Before the people, as whoever joins a workspace does.
    await lockWorkspaces(trx, userId);
    const { target } = await holdPeople(trx, ctx, userId);
    // Of what they joined in between as well, so that another owner does not leave now.
    await lockWorkspaces(trx, userId);
    assertMeant(target, email);
    const heir = handOverTo === undefined ? undefined : await findHeir(trx, { userId, email: handOverTo });
    if (things === 'handOver' && heir === undefined) throw refusedHeir('Enter who gets their things.');
    if (heir !== undefined) {
      const alone = (await ownedAlone(trx, userId)).map(({ id }) => id);
      const gets = things === 'handOver' ? [...alone, userId] : alone;
      await assertMayOwn({ db: trx, settings }, { userId: heir, email: handOverTo ?? '', gets });
    }
    await handOverShared(trx, { target, heir });
    const name = await detach(trx, target);
    if (things === 'delete') await closeWorkspace({ ...ctx, db: trx, ownerId: userId }, parts);
    else if (heir !== undefined) await makeOwner(trx, { workspaceId: userId, userId: heir });
    ctx.audit.note({
      subject: { kind: 'person', id: userId, name: target.email },
      before: { email: target.email, role: target.role },
      after: things === 'delete' ? { action: 'delete' } : { action: 'hand over', name, email: handOverTo },
    });
    await endAccess(trx, userId);
    await trx.deleteFrom('mails').where('recipient', '=', target.email).execute();
    await trx.deleteFrom('users').where('id', '=', userId).execute();
    return { success: true as const };
  });
}

async function lockWorkspaces(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', (query) =>
      query.selectFrom('workspaceMembers').select('workspaceId').where('userId', '=', userId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

function assertMeant(target: HeldPerson, email: string): void {
  if (email.trim().toLowerCase() === target.email) return;
  const message = 'Enter the email address of the account as it is.';
  throw invalid(message, [{ path: 'email', message }]);
}

function refusedHeir(message: string) {
  return invalid(message, [{ path: 'handOverTo', message }]);
}

/** Somebody else who can log in. */
async function findHeir(
  trx: Kysely<Database>,
  { userId, email }: { userId: string; email: string },
): Promise<string> {
  const heir = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', userId)
    .where('service', '=', false)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  if (!heir) throw refusedHeir('Nobody else who can log in has this address.');
  return heir.id;
}

/** No workspace is left without an owner. */
async function handOverShared(
  trx: Kysely<Database>,
  { target, heir }: { target: HeldPerson; heir: string | undefined },
): Promise<void> {
  const alone = await ownedAlone(trx, target.id);
  if (alone.length > 0 && heir === undefined) {
    const names = alone.map(({ name }) => name).join(', ');
    throw conflict('LAST_OWNER', `${target.email} is the only owner of ${names}. Say who gets that.`);
  }
  for (const { id } of alone) {
    if (heir !== undefined) await makeOwner(trx, { workspaceId: id, userId: heir });
  }
}

async function makeOwner(
  trx: Kysely<Database>,
  member: { workspaceId: string; userId: string },
): Promise<void> {
  await trx
    .insertInto('workspaceMembers')
    .values({ ...member, role: 'owner' })
    .onConflict((existing) =>
      existing.columns(['workspaceId', 'userId']).doUpdateSet({ role: 'owner', fromGroup: false }),
    )
    .execute();
}

/** Makes somebody's own workspace a shared one, which does not go with its person; the result is its name. */
async function detach(trx: Kysely<Database>, { id }: HeldPerson): Promise<string> {
  const own = await trx
    .selectFrom('workspaces')
    .select(['workspaces.name', WORKSPACE_NAME.as('shown')])
    .where('id', '=', id)
    .where('personal', '=', true)
    .executeTakeFirst();
  // A service account has none, and is deleted with its membership.
  if (!own) throw notFound();
  const ending = "'s things";
  const name = own.name ?? `${own.shown.slice(0, NAME_MAX - ending.length).toWellFormed()}${ending}`;
  await trx.updateTable('workspaces').set({ name, personal: false }).where('id', '=', id).execute();
  return name;
}
