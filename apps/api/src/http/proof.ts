import type { Row } from '@nephos/contracts/kit';
import { forbidden } from '../core/errors.ts';
import type { Identity } from './caller.ts';

/** Throws 403 PROOF_REQUIRED where a row asks for a recent proof, and the session's is older than an hour. */
export function assertFresh({ fresh }: Pick<Row, 'fresh'>, { sessionId, isProven }: Identity): void {
  if (!fresh || sessionId === null || isProven) return;
  throw forbidden('PROOF_REQUIRED', "Confirm that it's you, then try again.");
}
