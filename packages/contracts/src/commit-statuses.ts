import { z } from 'zod';
import { query } from './kit.ts';
import { ById, Id } from './page.ts';

/** What a Git host was last told of a commit of a project's, or would not take. */
export const CommitStatus = z.object({
  /** The deployment that it was about; null before the first. */
  deploymentId: Id.nullable(),
  /** What became of that, as the host was to be told; null before the first. */
  state: z.enum(['pending', 'success', 'failure']).nullable(),
  /** When the host was asked; null before the first. */
  toldAt: z.iso.datetime().nullable(),
  /** Why the host does not show it, as a sentence; '' where it does. */
  problem: z.string(),
});
export type CommitStatus = z.output<typeof CommitStatus>;

export const commitStatuses = {
  get: query({
    summary:
      "What the repository's Git host was last told of a deployed commit. It is told where the project has a token for it",
    route: 'GET /api/projects/{id}/commit-status',
    input: ById,
    output: CommitStatus,
  }),
};
