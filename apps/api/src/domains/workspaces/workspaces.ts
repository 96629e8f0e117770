import type { contract } from '@nephos/contracts';
import type { Streams } from '../../http/streams.ts';
import type { Platform } from '../../platform/platform.ts';
import { changeDemand, readDemand } from '../auth/factors/demands.ts';
import type { Domain } from '../domain.ts';
import {
  acceptInvitation,
  invite,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitations.ts';
import { changeMember, leaveWorkspace, removeMember } from './membership.ts';
import { listMembers, listWorkspaces } from './read.ts';
import {
  countContents,
  emptyWorkspace,
  type RemovalParts,
  type Removals,
  removeWorkspace,
  resumeRemovals,
} from './removal.ts';
import { createWorkspace, enterWorkspace, renameWorkspace } from './service.ts';
import {
  createServiceAccount,
  createServiceToken,
  listServiceTokens,
  revokeServiceToken,
} from './service-accounts.ts';

/** Emptying one ends apps and databases, which can take long. */
const QUEUE = {
  concurrency: 1,
  expireInSeconds: 600,
  retryLimit: 20,
  longestPause: 600,
  oneAtATimePerGroup: true,
};

/** "<workspace id> <person id>": somebody is no member any more, or another kind of one. Sent by a trigger. */
const MEMBER_CHANGED = 'member_changed';

type Platformed = Pick<Platform, 'settings' | 'db' | 'jobs' | 'notifications' | 'mail'> & {
  streams: Streams;
};

/** Whose things are, and who may do what with them. */
export function createWorkspaces(
  { settings, db, jobs, notifications, mail, streams }: Platformed,
  removals: Removals,
): Domain<typeof contract.workspaces> & RemovalParts {
  const closing = jobs.queue<{ id: string }>('workspaces.close', QUEUE, ({ id }, signal) =>
    emptyWorkspace(db, { id, removals, signal }),
  );
  let unsubscribe: (() => void) | undefined;
  return {
    closing,
    start() {
      unsubscribe = notifications.subscribe(MEMBER_CHANGED, (payload) => {
        const [workspaceId = '', userId = ''] = payload.split(' ');
        streams.endOf({ workspaceId, userId });
      });
    },
    stop: () => unsubscribe?.(),
    sweeps: { closingWorkspaces: () => resumeRemovals(db, closing) },
    handlers: {
      list: ({ ctx }) => listWorkspaces(ctx),
      create: ({ ctx, input }) => createWorkspace(ctx, settings, input.name),
      update: ({ ctx, input }) => renameWorkspace(ctx, input),
      remove: ({ ctx, input }) => removeWorkspace(ctx, { closing }, input),
      consequences: ({ ctx, input }) => countContents(ctx, input.id),
      enter: ({ ctx, input }) => enterWorkspace(ctx, input),
      members: ({ ctx, input }) => listMembers(ctx, input),
      changeMember: ({ ctx, input }) => changeMember(ctx, settings, input),
      removeMember: ({ ctx, input }) => removeMember(ctx, input),
      leave: ({ ctx, input }) => leaveWorkspace(ctx, input.id),
      invitations: ({ ctx, input }) => listInvitations(ctx, input),
      invite: ({ ctx, input }) => invite(ctx, { settings, mail }, input),
      revokeInvitation: ({ ctx, input }) => revokeInvitation(ctx, input),
      invitation: ({ ctx, input }) => readInvitation(ctx, input),
      accept: ({ ctx, input }) => acceptInvitation(ctx, settings, input),
      createServiceAccount: ({ ctx, input }) => createServiceAccount(ctx, input),
      secondFactor: ({ ctx, input }) => readDemand(ctx, input.id),
      demandSecondFactor: ({ ctx, input: { id, demanded } }) => changeDemand(ctx, id, demanded),
      serviceToken: ({ ctx, input }) => createServiceToken(ctx, input),
      serviceTokens: ({ ctx, input }) => listServiceTokens(ctx, input),
      revokeServiceToken: ({ ctx, input }) => revokeServiceToken(ctx, input),
    },
  };
}
