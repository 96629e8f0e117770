import { PLANS, type Plan } from '@nephos/contracts/constants';

/** The plan whose limits an account has. Until one can subscribe, everyone has those of the smallest. */
export function planOf(_userId: string): Plan {
  return PLANS.starter;
}
