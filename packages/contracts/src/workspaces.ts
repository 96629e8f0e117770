import { z } from 'zod';
import { AccessToken, CreatedAccessToken, NewAccessToken } from './access-tokens.ts';
import { Email } from './credentials.ts';
import { workspaceDemand } from './factor-demands.ts';
import { mutation, query, type Spec } from './kit.ts';
import { ById, Id, Page, Success } from './page.ts';
import { WORKSPACE_ROLES } from './permissions.ts';
import { line } from './text.ts';

const ROOT = '/api/workspaces';
const PER_MINUTE = 60;

export const WorkspaceRole = z.enum(WORKSPACE_ROLES, `Role must be one of ${WORKSPACE_ROLES.join(', ')}.`);
export type WorkspaceRole = z.output<typeof WorkspaceRole>;

/** Whose things are: a person's own, or shared. */
export const Workspace = z.object({
  /** Of a personal workspace, the person's id. */
  id: Id,
  /** A personal one is named after its person until it is renamed. */
  name: z.string(),
  /** Namespace of its container images; unique. */
  handle: z.string(),
  personal: z.boolean(),
  /** The caller's. */
  role: WorkspaceRole,
  members: z.int(),
  createdAt: z.iso.datetime(),
});
export type Workspace = z.output<typeof Workspace>;

export const Member = z.object({
  /** The person's id. */
  userId: Id,
  /** '' for a service account. */
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  role: WorkspaceRole,
  /** Whether this is a service account, which has tokens only and cannot log in. */
  service: z.boolean(),
  joinedAt: z.iso.datetime(),
});
export type Member = z.output<typeof Member>;

/** A link by which somebody joins, once. */
export const WorkspaceInvitation = z.object({
  id: Id,
  /** The only address that it is for; null for whoever has the link. */
  email: z.string().nullable(),
  role: WorkspaceRole,
  /** Email of who made it; null once that account is deleted. */
  invitedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** By the database's clock. */
  expiresAt: z.iso.datetime(),
});
export type WorkspaceInvitation = z.output<typeof WorkspaceInvitation>;

/** An invitation at its making: the only time that `link` is shown. */
export const CreatedWorkspaceInvitation = WorkspaceInvitation.extend({
  link: z.url(),
  /** Whether it is mailed to `email` as well. */
  mailed: z.boolean(),
});
export type CreatedWorkspaceInvitation = z.output<typeof CreatedWorkspaceInvitation>;

/** What an invitation's link is good for, to whoever has it. */
export const WorkspaceInvitationState = z.object({
  /** Its name. */
  workspace: z.string(),
  role: WorkspaceRole,
  invitedBy: z.string().nullable(),
  email: z.string().nullable(),
  state: z.enum(['open', 'used', 'ended', 'revoked']),
});
export type WorkspaceInvitationState = z.output<typeof WorkspaceInvitationState>;

/** What goes along with a workspace. */
export const WorkspaceContents = z.object({
  projects: z.int(),
  databases: z.int(),
  files: z.int(),
  zones: z.int(),
  repositories: z.int(),
  mobileApps: z.int(),
  installations: z.int(),
  variableGroups: z.int(),
  /** Open ones. */
  virtualAccounts: z.int(),
  members: z.int(),
  /** Why it cannot be deleted now; '' where it can. */
  obstacle: z.string(),
});
export type WorkspaceContents = z.output<typeof WorkspaceContents>;

const Name = line(60, 'Name');
const OfWorkspace = { id: Id };
const OfMember = z.object({ ...OfWorkspace, userId: Id });
const InvitationToken = z.object({ token: z.string().min(1).max(100) });

/** Rows that are about the workspace in their path, and not the one that the call is made in. */
const ABOUT = { workspaceField: 'id', perMinute: PER_MINUTE } satisfies Partial<
  Spec<unknown, unknown, unknown>
>;

export const workspaces = {
  list: query({
    summary: 'Your workspaces: your own first, then by name',
    route: `GET ${ROOT}`,
    needs: 'account',
    output: z.array(Workspace),
  }),
  create: mutation({
    summary: 'Create a workspace to share with others',
    route: `POST ${ROOT}`,
    needs: 'account',
    status: 201,
    sessionOnly: true,
    perMinute: 20,
    input: z.object({ name: Name }),
    output: Workspace,
  }),
  update: mutation({
    ...ABOUT,
    summary: 'Rename a workspace; its handle stays',
    route: `PATCH ${ROOT}/{id}`,
    needs: 'own',
    input: z.object({ ...OfWorkspace, name: Name }),
    output: Workspace,
  }),
  remove: mutation({
    ...ABOUT,
    summary: 'Delete a workspace with all it has, by its name; not a personal one',
    route: `DELETE ${ROOT}/{id}`,
    needs: 'own',
    sessionOnly: true,
    fresh: true,
    input: z.object({ ...OfWorkspace, name: z.string().max(100) }),
    output: Success,
  }),
  consequences: query({
    ...ABOUT,
    summary: 'What goes along with a workspace that is deleted',
    route: `GET ${ROOT}/{id}/contents`,
    needs: 'own',
    input: ById,
    output: WorkspaceContents,
  }),
  enter: mutation({
    summary: "Make a workspace the session's own, for calls that name none",
    route: `POST ${ROOT}/{id}/enter`,
    needs: 'account',
    sessionOnly: true,
    changesNothing: true,
    perMinute: 120,
    input: ById,
    output: Workspace,
  }),
  members: query({
    ...ABOUT,
    summary: 'Members of a workspace, those who joined last first',
    route: `GET ${ROOT}/{id}/members`,
    needs: 'view',
    perMinute: 120,
    input: Page.extend(OfWorkspace),
    output: z.array(Member),
  }),
  changeMember: mutation({
    ...ABOUT,
    summary: "Change a member's role; only owners make and unmake owners",
    route: `PATCH ${ROOT}/{id}/members/{userId}`,
    needs: 'people',
    sessionOnly: true,
    fresh: true,
    input: OfMember.extend({ role: WorkspaceRole }),
    output: Member,
  }),
  removeMember: mutation({
    ...ABOUT,
    summary: "Remove a member; ends the member's access tokens and open streams there",
    route: `DELETE ${ROOT}/{id}/members/{userId}`,
    needs: 'people',
    sessionOnly: true,
    fresh: true,
    input: OfMember,
    output: Success,
  }),
  leave: mutation({
    summary: 'Leave a workspace; its last owner cannot',
    route: `POST ${ROOT}/{id}/leave`,
    needs: 'account',
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: ById,
    output: Success,
  }),
  invitations: query({
    ...ABOUT,
    summary: 'Open invitations to a workspace, newest first',
    route: `GET ${ROOT}/{id}/invitations`,
    needs: 'people',
    input: ById,
    output: z.array(WorkspaceInvitation),
  }),
  invite: mutation({
    ...ABOUT,
    summary: 'Create an invitation link for one person, valid for 7 days; the response shows it once',
    route: `POST ${ROOT}/{id}/invitations`,
    needs: 'people',
    status: 201,
    sessionOnly: true,
    fresh: true,
    secret: true,
    input: z.object({
      ...OfWorkspace,
      /** Absent or '': for whoever has the link. */
      email: z.literal('').or(Email).optional(),
      role: WorkspaceRole,
    }),
    output: CreatedWorkspaceInvitation,
  }),
  revokeInvitation: mutation({
    ...ABOUT,
    summary: 'Revoke an unused invitation to a workspace',
    route: `DELETE ${ROOT}/{id}/invitations/{invitationId}`,
    needs: 'people',
    sessionOnly: true,
    input: z.object({ ...OfWorkspace, invitationId: Id }),
    output: Success,
  }),
  invitation: query({
    summary: "What an invitation's link is good for",
    route: 'GET /api/workspace-invitations/{token}',
    access: 'public',
    perMinute: PER_MINUTE,
    input: InvitationToken,
    output: WorkspaceInvitationState,
  }),
  accept: mutation({
    summary: "Join the workspace of an invitation's link",
    route: 'POST /api/workspace-invitations/{token}',
    needs: 'account',
    sessionOnly: true,
    perMinute: 20,
    input: InvitationToken,
    output: Workspace,
  }),
  createServiceAccount: mutation({
    ...ABOUT,
    summary: 'Create a service account: a member with access tokens only',
    route: `POST ${ROOT}/{id}/service-accounts`,
    needs: 'people',
    status: 201,
    sessionOnly: true,
    input: z.object({ ...OfWorkspace, name: Name, role: WorkspaceRole.exclude(['owner']) }),
    output: Member,
  }),
  serviceToken: mutation({
    ...ABOUT,
    summary: 'Create an access token of a service account; the response shows it once',
    route: `POST ${ROOT}/{id}/service-accounts/{userId}/tokens`,
    needs: 'people',
    status: 201,
    sessionOnly: true,
    fresh: true,
    secret: true,
    input: NewAccessToken.extend({ ...OfWorkspace, userId: Id }),
    output: CreatedAccessToken,
  }),
  serviceTokens: query({
    ...ABOUT,
    summary: 'Access tokens of a service account, newest first',
    route: `GET ${ROOT}/{id}/service-accounts/{userId}/tokens`,
    needs: 'people',
    sessionOnly: true,
    input: OfMember,
    output: z.array(AccessToken),
  }),
  revokeServiceToken: mutation({
    ...ABOUT,
    summary: 'Revoke an access token of a service account',
    route: `DELETE ${ROOT}/{id}/service-accounts/{userId}/tokens/{tokenId}`,
    needs: 'people',
    sessionOnly: true,
    input: OfMember.extend({ tokenId: Id }),
    output: Success,
  }),
  ...workspaceDemand,
};
