import { MAX_MEMBERS, type WorkspaceRole } from '@nephos/contracts';
import { may, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import type { Platform } from '../../platform/platform.ts';
import { endMembership, isLastOwner, revokeLinks } from '../workspaces/membership.ts';
import { endSessionsAsOthers } from './end-access.ts';
import { providerOf } from './identities.ts';
import type { OidcIdentity } from './oidc.ts';

/** What somebody's groups make them. */
interface Granted {
  admin: boolean;
  /** By the workspace's id; of several roles there, the one that may most. */
  roles: ReadonlyMap<string, WorkspaceRole>;
}

interface Person {
  id: string;
  email: string;
}

/** One membership that is to be made, changed or, without a role, ended. */
interface MemberChange {
  workspaceId: string;
  before: WorkspaceRole | null;
  role: WorkspaceRole | null;
}

interface Plan {
  /** What of the installation they are to be; undefined where that stays. */
  installation: 'admin' | 'member' | undefined;
  members: readonly MemberChange[];
}

/** By what all providers have said last of somebody. */
async function readGranted(
  trx: Kysely<Database>,
  settings: Pick<Settings, 'oidc'>,
  userId: string,
): Promise<Granted> {
  const rows = await trx
    .selectFrom('identities')
    .select(['issuer', 'groups'])
    .where('userId', '=', userId)
    .execute();
  const gifts = rows.flatMap(({ issuer, groups }) => {
    const provider = providerOf(settings, issuer);
    return groups.flatMap((group) => provider?.groups[group] ?? []);
  });
  const roles = new Map<string, WorkspaceRole>();
  for (const [id, role] of gifts.flatMap(({ workspaces }) => Object.entries(workspaces))) {
    const other = roles.get(id);
    const isMore = other === undefined || WORKSPACE_ROLES.indexOf(role) < WORKSPACE_ROLES.indexOf(other);
    if (isMore) roles.set(id, role);
  }
  return { admin: gifts.some(({ admin }) => admin), roles };
}

/** What is other than it should be; what people decided themselves stays. */
async function planFor(
  trx: Kysely<Database>,
  userId: string,
  { admin, roles }: Granted,
): Promise<Plan & { person: Person | undefined }> {
  const person = await trx
    .selectFrom('users')
    .select(['id', 'email', 'role', 'adminFromGroup', 'memberByHand'])
    .where('id', '=', userId)
    .executeTakeFirst();
  const present = await trx
    .selectFrom('workspaceMembers')
    .select(['workspaceId', 'role', 'fromGroup'])
    .where('userId', '=', userId)
    .where(({ eb, or }) =>
      or([eb('fromGroup', '=', true), eb('workspaceId', 'in', [...roles.keys(), userId])]),
    )
    .execute();
  const missing = await trx
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', [...roles.keys(), userId])
    .where('id', 'not in', [...present.map(({ workspaceId }) => workspaceId), userId])
    .where('closingSince', 'is', null)
    .execute();
  const members = [
    ...present
      .filter(({ workspaceId, role, fromGroup }) => fromGroup && roles.get(workspaceId) !== role)
      .map(({ workspaceId, role }) => ({ workspaceId, before: role, role: roles.get(workspaceId) ?? null })),
    ...missing.map(({ id }) => ({ workspaceId: id, before: null, role: roles.get(id) ?? null })),
  ];
  // In one order, so that of two log-ins at once none holds what the other waits for.
  members.sort((one, other) => (one.workspaceId < other.workspaceId ? -1 : 1));
  return { person, installation: installationRole(person, admin), members };
}

function installationRole(
  person: { role: 'admin' | 'member'; adminFromGroup: boolean; memberByHand: boolean } | undefined,
  admin: boolean,
): Plan['installation'] {
  if (admin) return person?.role === 'member' && !person.memberByHand ? 'admin' : undefined;
  return person?.role === 'admin' && person.adminFromGroup ? 'member' : undefined;
}

/**
 * Gives somebody the roles that their providers' groups grant, and takes those that groups granted before and grant no
 * more. The last admin and the last owner of a workspace stay what they are.
 */
export async function applyGroups(
  { db, settings, log }: Pick<Platform, 'db' | 'settings' | 'log'>,
  userId: string,
): Promise<void> {
  const first = await planFor(db, userId, await readGranted(db, settings, userId));
  if (first.installation === undefined && first.members.length === 0) return;
  await atomically(db, async (trx) => {
    const admins = first.installation && (await holdAdmins(trx, userId));
    for (const { workspaceId } of first.members) await lockAccount(trx, workspaceId);
    const { person, installation, members } = await planFor(
      trx,
      userId,
      await readGranted(trx, settings, userId),
    );
    if (!person) return;
    if (installation && admins) await changeInstallation(trx, { person, role: installation, admins });
    const held = new Set(first.members.map(({ workspaceId }) => workspaceId));
    // What came up only now has its turn at the next log-in.
    for (const change of members.filter(({ workspaceId }) => held.has(workspaceId))) {
      const isDone = await changeMembership(trx, person, change);
      if (!isDone) log.warn({ userId, workspaceId: change.workspaceId }, 'a role of a group was not applied');
    }
  });
}

/** The ids of all admins who can log in; they are held with the person, in the order in which admins hold each other. */
async function holdAdmins(trx: Kysely<Database>, userId: string): Promise<string[]> {
  const held = await trx
    .selectFrom('users')
    .select(['id', 'role', 'disabledAt'])
    .where('service', '=', false)
    .where(({ eb, or }) => or([eb('role', '=', 'admin'), eb('id', '=', userId)]))
    .orderBy('id')
    // Not from whoever joins a workspace meanwhile: they may hold one that we wait for.
    .forNoKeyUpdate()
    .execute();
  return held.filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null).map(({ id }) => id);
}

async function changeInstallation(
  trx: Kysely<Database>,
  { person, role, admins }: { person: Person; role: 'admin' | 'member'; admins: readonly string[] },
): Promise<void> {
  if (role === 'member' && admins.every((id) => id === person.id)) return;
  const adminFromGroup = role === 'admin';
  await trx.updateTable('users').set({ role, adminFromGroup }).where('id', '=', person.id).execute();
  if (!adminFromGroup) await endSessionsAsOthers(trx, person.id);
  await trx.insertInto('roleChanges').values({ userId: person.id, changedBy: null, role }).execute();
  await recordOwnWork(trx, {
    ...{ ownerId: null, procedure: 'admin.applyGroups' },
    subject: { kind: 'person', id: person.id, name: person.email },
    ...{ before: { role: adminFromGroup ? 'member' : 'admin' }, after: { role } },
  });
}

/** False where the workspace is full, or would be left without an owner. */
async function changeMembership(
  trx: Kysely<Database>,
  person: Person,
  { workspaceId, before, role }: MemberChange,
): Promise<boolean> {
  const named = { id: workspaceId, userId: person.id };
  if (before === 'owner' && (await isLastOwner(trx, named))) return false;
  if (before === null && role !== null) {
    if (await isFull(trx, workspaceId)) return false;
    const member = { workspaceId, userId: person.id, role, fromGroup: true };
    await trx.insertInto('workspaceMembers').values(member).execute();
  } else if (role === null) {
    await endMembership(trx, { ...named, service: false, by: null });
  } else {
    if (!may(role, 'people')) await revokeLinks(trx, { ...named, by: null });
    await trx
      .updateTable('workspaceMembers')
      .set({ role })
      .where('workspaceId', '=', workspaceId)
      .where('userId', '=', person.id)
      .execute();
  }
  await recordOwnWork(trx, {
    ...{ ownerId: workspaceId, procedure: 'workspaces.applyGroups' },
    subject: { kind: 'person', id: person.id, name: person.email },
    ...(before && { before: { role: before } }),
    ...(role && { after: { role } }),
  });
  return true;
}

async function isFull(trx: Kysely<Database>, workspaceId: string): Promise<boolean> {
  const { members } = await trx
    .selectFrom('workspaceMembers')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return members >= MAX_MEMBERS;
}

/** Keeps what a provider has said of somebody's groups, and applies it. */
export async function noteGroups(
  deps: Pick<Platform, 'db' | 'settings' | 'log'>,
  userId: string,
  { issuer, subject, groups }: Pick<OidcIdentity, 'issuer' | 'subject' | 'groups'>,
): Promise<void> {
  if (groups) {
    await deps.db
      .updateTable('identities')
      .set({ groups: [...groups] })
      .where('userId', '=', userId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .execute();
  }
  await applyGroups(deps, userId);
}
