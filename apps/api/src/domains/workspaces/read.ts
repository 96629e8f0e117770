import { MAX_PAGE, type Member, type Page, type Workspace, type WorkspaceRole } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { WORKSPACE_NAME } from './workspace-columns.ts';

function workspacesOf(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('workspaceMembers as mine')
    .innerJoin('workspaces', 'workspaces.id', 'mine.workspaceId')
    .select([
      'workspaces.id',
      WORKSPACE_NAME.as('name'),
      'workspaces.handle',
      'workspaces.personal',
      'mine.role',
    ])
    .select(({ selectFrom }) =>
      selectFrom('workspaceMembers as every')
        .select(({ fn }) => fn.countAll<number>().as('members'))
        .whereRef('every.workspaceId', '=', 'workspaces.id')
        .as('counted'),
    )
    .select('workspaces.createdAt')
    .where('mine.userId', '=', userId);
}

function shown({ counted, ...row }: Omit<Workspace, 'members'> & { counted: number | null }): Workspace {
  return { ...row, members: counted ?? 0 };
}

/** The caller's workspaces: their own first, then by name. A token has the one that it was made in. */
export async function listWorkspaces({ db, user, tokenScope, ownerId }: UserContext): Promise<Workspace[]> {
  const rows = await workspacesOf(db, user.id)
    .$if(tokenScope !== null, (query) => query.where('workspaces.id', '=', ownerId))
    .orderBy(sql`workspaces.id = ${user.id}`, 'desc')
    .orderBy(sql`lower(${WORKSPACE_NAME})`)
    .orderBy('workspaces.id')
    .limit(MAX_PAGE)
    .execute();
  return rows.map(shown);
}

/** Throws 404 where the person is no member. */
export async function findWorkspace(db: Kysely<Database>, userId: string, id: string): Promise<Workspace> {
  const row = await workspacesOf(db, userId).where('workspaces.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return shown(row);
}

/** What somebody is in a workspace. Throws 404 where they are no member. */
export async function roleIn(
  db: Kysely<Database>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<WorkspaceRole> {
  const member = await db
    .selectFrom('workspaceMembers')
    .select('role')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!member) throw notFound();
  return member.role;
}

function membersOf(db: Kysely<Database>, workspaceId: string) {
  return db
    .selectFrom('workspaceMembers as member')
    .innerJoin('users', 'users.id', 'member.userId')
    .select(['users.id as userId', 'users.firstName', 'users.lastName', 'users.profileImageUrl'])
    .select(sql<string>`case when users.service then '' else users.email end`.as('email'))
    .select(['member.role', 'users.service', 'member.joinedAt'])
    .where('member.workspaceId', '=', workspaceId);
}

/** A page of the members, those who joined last first. */
export function listMembers(
  { db }: UserContext,
  { id, limit = MAX_PAGE, cursor }: z.output<typeof Page> & { id: string },
): Promise<Member[]> {
  return membersOf(db, id)
    .$if(cursor !== undefined, (query) =>
      query.where(
        // Not a subquery of two columns: that would not be looked up in an index.
        sql<boolean>`(member.joined_at, member.user_id) < ((
          select last.joined_at from workspace_members last
          where last.workspace_id = ${id} and last.user_id = ${cursor}), ${cursor}::uuid)`,
      ),
    )
    .orderBy('member.joinedAt', 'desc')
    .orderBy('member.userId', 'desc')
    .limit(limit)
    .execute();
}

/** Throws 404. */
export async function findMember(
  db: Kysely<Database>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Member> {
  const member = await membersOf(db, workspaceId).where('users.id', '=', userId).executeTakeFirst();
  if (!member) throw notFound();
  return member;
}
