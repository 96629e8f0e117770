import { z } from 'zod';
import { query } from './kit.ts';
import { ById } from './page.ts';

/** Whether a database can be given a server of its own. */
export const DatabaseMoveState = z.object({
  /** Why it cannot, in one sentence; '' where it can. */
  unavailable: z.string(),
  /** Why the last move failed, in one sentence; '' otherwise. */
  error: z.string(),
});
export type DatabaseMoveState = z.output<typeof DatabaseMoveState>;

export const databaseMoves = {
  moveState: query({
    summary: 'Whether a database can be moved to a server of its own, and why the last move failed',
    route: 'GET /api/databases/{id}/move',
    input: ById,
    output: DatabaseMoveState,
  }),
};
