import type { Subscription } from '@nephos/contracts';
import { RENEWAL_GRACE_DAYS } from '@nephos/contracts/constants';
import { useEffect } from 'react';
import { DAY, MINUTE } from './durations.ts';
import { type Trial, trialOf } from './trial.ts';
import { trpc } from './trpc.ts';
import { useNow } from './use-now.ts';
import { useUser } from './use-user.ts';

/**
 * What the account may use: by its subscription, else by its trial, else not at all. `unlimited`:
 * billing is switched off on this server.
 */
export type Access =
  | { kind: 'unlimited' }
  | { kind: 'subscription' }
  | { kind: 'trial'; trial: Trial }
  | { kind: 'none' };

/** The account's access, kept up to date while time passes. The server has the last word at every write. */
export function useAccess(): Access {
  const utils = trpc.useUtils();
  const user = useUser();
  const now = useNow(MINUTE);
  const { data: status } = trpc.billing.status.useQuery();
  // Asked for anew by each page and dialog that depends on it: it is changed elsewhere, also by the provider.
  const { data: subscription } = trpc.billing.activeSubscription.useQuery(undefined, {
    refetchOnMount: 'always',
  });
  const trial = trialOf(user, now);
  const expired = user.trialActive && trial.daysRemaining === 0;

  // The day it ends, what was fetched before may say that it still runs.
  useEffect(() => {
    if (expired) void utils.auth.user.invalidate();
  }, [expired, utils]);

  if (status && !status.enabled) return { kind: 'unlimited' };
  if (subscription && paidUntil(subscription) > now) return { kind: 'subscription' };
  return trial.active ? { kind: 'trial', trial } : { kind: 'none' };
}

/**
 * Milliseconds since 1970. An active subscription counts as paid for some days beyond its renewal date, since the
 * renewal may not be decided yet. Once a renewal was declined, only what is left of the paid period counts.
 */
function paidUntil({ status, renewalDate }: Subscription): number {
  return Date.parse(renewalDate) + (status === 'active' ? RENEWAL_GRACE_DAYS * DAY : 0);
}
