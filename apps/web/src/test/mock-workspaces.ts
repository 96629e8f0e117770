import { type Member, type Workspace, type WorkspaceInvitation, workspaces } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';

const SOON = '2026-11-30T10:00:00.000Z';

export function mockWorkspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    id: crypto.randomUUID(),
    name: 'Acme',
    handle: 'acme',
    personal: false,
    role: 'owner',
    members: 2,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockMember(changes: Partial<Member> = {}): Member {
  return {
    userId: crypto.randomUUID(),
    email: 'grace@example.com',
    firstName: 'Grace',
    lastName: 'Hopper',
    profileImageUrl: null,
    role: 'developer',
    service: false,
    joinedAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockWorkspaceInvitation(changes: Partial<WorkspaceInvitation> = {}): WorkspaceInvitation {
  return {
    id: crypto.randomUUID(),
    email: null,
    role: 'viewer',
    invitedBy: 'ada@example.com',
    createdAt: '2026-11-20T10:00:00.000Z',
    expiresAt: SOON,
    ...changes,
  };
}

export const workspacesMock = implement(workspaces, {
  list: ({ ctx }) => ctx.world.workspaces,
  create: ({ ctx: { world }, input }) => {
    const workspace = mockWorkspace(input);
    world.workspaces = [...world.workspaces, workspace];
    return workspace;
  },
  update: ({ ctx: { user }, input: { id, name } }) => {
    Object.assign(user.workspace ?? {}, { name });
    return mockWorkspace({ id, name });
  },
  remove: () => success,
  consequences: ({ ctx }) => ctx.world.workspaceContents,
  enter: ({ ctx: { world }, input }) => found(world.workspaces, input.id),
  members: ({ ctx }) => ctx.world.members,
  changeMember: ({ ctx: { world }, input: { userId, role } }) => {
    world.members = world.members.map((member) => (member.userId === userId ? { ...member, role } : member));
    return mockMember({ userId, role });
  },
  removeMember: ({ ctx: { world }, input }) => {
    world.members = world.members.filter(({ userId }) => userId !== input.userId);
    return success;
  },
  leave: () => success,
  invitations: ({ ctx }) => ctx.world.workspaceInvitations,
  invite: ({ ctx: { world }, input: { email, role } }) => {
    const invitation = mockWorkspaceInvitation({ email: email || null, role });
    world.workspaceInvitations = [invitation, ...world.workspaceInvitations];
    return { ...invitation, link: 'https://console.example.com/join/secret', mailed: false };
  },
  revokeInvitation: ({ ctx: { world }, input }) => {
    world.workspaceInvitations = world.workspaceInvitations.filter(({ id }) => id !== input.invitationId);
    return success;
  },
  invitation: ({ ctx }) => ctx.world.invitation,
  accept: ({ ctx: { world } }) => found(world.workspaces, world.workspaces.at(-1)?.id ?? ''),
  createServiceAccount: ({ ctx: { world }, input: { name, role } }) => {
    const member = mockMember({ email: '', firstName: name, lastName: null, service: true, role });
    world.members = [member, ...world.members];
    return member;
  },
  secondFactor: ({ ctx }) => ctx.world.factorDemand,
  demandSecondFactor: ({ ctx: { world }, input: { demanded } }) => {
    world.factorDemand = { ...world.factorDemand, demanded };
    return world.factorDemand;
  },
  serviceToken: ({ ctx: { world }, input: { name, scope } }) => {
    const [token] = world.tokens;
    if (!token) throw new Error('A world of service accounts has a token to copy');
    return { ...token, name, scope, token: 'nph_service-token' };
  },
  serviceTokens: ({ ctx }) => ctx.world.tokens,
  revokeServiceToken: ({ ctx: { world }, input }) => {
    world.tokens = world.tokens.filter(({ id }) => id !== input.tokenId);
    return success;
  },
});
