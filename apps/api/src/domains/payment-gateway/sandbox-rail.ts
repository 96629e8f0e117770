import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_FAILURES } from '@nephos/contracts';
import type { Outcome, Rail } from './rail.ts';

const failures = Object.entries(SANDBOX_FAILURES).map(([accountNumber, failure]) => ({
  accountNumber,
  failure,
}));

export interface SandboxTimes {
  /** Seconds. */
  pickUpAfter: number;
  /** Milliseconds. */
  settlesAfter: number;
}

const TIMES: SandboxTimes = { pickUpAfter: 2, settlesAfter: 1000 };

/**
 * A rail in this process that moves test money: every payment arrives after some seconds, but for those to the numbers
 * of `SANDBOX_FAILURES`. It keeps nothing, since an outcome depends on the payment alone.
 */
export function createSandboxRail({ pickUpAfter, settlesAfter }: SandboxTimes = TIMES): Rail {
  return {
    sandbox: true,
    hint: 'Sandbox: payments to other banks move test money and settle within seconds.',
    failures,
    pickUpAfter,
    async submit({ receiverAccountNumber }, signal): Promise<Outcome> {
      await pause(settlesAfter, undefined, { signal });
      const number = receiverAccountNumber.toUpperCase();
      const failing = failures.find(({ accountNumber }) => accountNumber === number);
      return failing ? { status: 'failed', failure: failing.failure } : { status: 'completed' };
    },
  };
}
