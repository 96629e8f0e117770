import type { BillingStatus } from '@nephos/contracts';
import type { Deps } from '../../context.ts';
import { forbidden } from '../../errors.ts';

type Switch = Pick<Deps, 'settings'>;

/** Whether trials and plans apply here. */
export function billingStatus({ settings }: Switch): BillingStatus {
  return { enabled: settings.billing };
}

/** Refuses to sell anything while billing is switched off: 403 BILLING_OFF. */
export function assertBillingOn({ settings }: Switch): void {
  if (settings.billing) return;
  throw forbidden(
    'BILLING_OFF',
    'Billing is switched off on this server: everything can be used without a plan, and nothing is charged.',
  );
}
