import { Refusal } from '../../../core/errors.ts';

const REFUSED = new Set(['INVALID_CODE', 'INVALID_CREDENTIALS', 'PASSKEY_REFUSED']);

/**
 * Has a record written where what somebody proves who they are with is refused, and refuses it then. For use outside of
 * the transaction of the check, which would take the record with it. A repetition of a refused call leaves no other one.
 */
export async function tellRefusal<T>(check: () => Promise<T>, tell: () => Promise<void>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Refusal && REFUSED.has(error.reason) && !error.replayed) await tell();
    throw error;
  }
}
