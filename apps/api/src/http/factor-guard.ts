import { forbidden } from '../core/errors.ts';
import type { FactorDemander } from '../platform/factor-demands.ts';

const DEMANDERS = { installation: 'This server', workspace: 'This workspace' } as const;

/** Why somebody without a second factor is kept out, and what to do. */
export function factorRefusal(by: FactorDemander): string {
  return `${DEMANDERS[by]} requires two-step login. Set it up on your Account page, then try again.`;
}

/** Throws 403 SECOND_FACTOR_DEMANDED where one is demanded of a person who has none. */
export function assertFactor({ factorDemandedBy: by }: { factorDemandedBy: FactorDemander | null }): void {
  if (by !== null) throw forbidden('SECOND_FACTOR_DEMANDED', factorRefusal(by));
}
