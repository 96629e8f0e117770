import { type CommitStatus, commitStatuses } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

export function mockCommitStatus(changes: Partial<CommitStatus> = {}): CommitStatus {
  return { deploymentId: null, state: null, toldAt: null, problem: '', ...changes };
}

export const commitStatusesMock = implement(commitStatuses, { get: ({ ctx }) => ctx.world.commitStatus });
