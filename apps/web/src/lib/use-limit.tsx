import type { PlanUse } from '@nephos/contracts';
import { type Limited, NO_PLAN, PLANS, STORAGE_REMEDY } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FormLimit } from '../ui/form-dialog.tsx';
import { formatSize } from './format.ts';
import { LIMIT_NAMES } from './limit-names.ts';
import { trpc } from './trpc.ts';

type Counted = Exclude<Limited, 'storage'>;

/** Of what there is, from which on it is said in a form that makes something else as well. */
const NEAR = 0.8;

/** How many there are, and may be, of what a dialog makes; undefined where nothing limits it, and until it is known. */
export function useLimit(of: Counted): FormLimit | undefined {
  const use = useUse();
  if (!use) return undefined;
  const { used, limit } = use[of];
  const noun = LIMIT_NAMES[of];
  const isPlans = of === 'projects' && !isSet(use, of);
  const plan = isPlans ? ` ${onPlan(use)}` : '';
  if (limit === null) return isLimited(use) ? { state: 'room', line: `Unlimited ${noun}${plan}` } : undefined;
  const line = `${used} of ${limit} ${noun}${plan}`;
  if (used < limit) return { state: 'room', line };
  const remedy = of === 'virtualAccounts' ? 'Close one to open another' : 'Delete one to create another';
  return {
    state: 'full',
    line: <Full line={line} remedy={remedy} upgrade={isPlans && use} ask={isSet(use, of)} />,
  };
}

/** The same for a form that makes another one only at times: nothing while there is much room, and it keeps nobody. */
export function useNearLimit(of: Counted): FormLimit | undefined {
  const limit = useLimit(of);
  const use = useUse()?.[of];
  if (!use || use.limit === null || use.used < use.limit * NEAR) return undefined;
  return limit && { ...limit, state: 'tight' };
}

/**
 * The storage that is left for files and images. `adding` is what the dialog stores of it, in bytes; undefined where that
 * comes later.
 */
export function useStorageLimit(adding?: number): FormLimit | undefined {
  const use = useUse();
  if (!use || use.storage.limit === null) return undefined;
  const { used, limit } = use.storage;
  const left = Math.max(limit - used, 0);
  const ask = isSet(use, 'storage');
  const line = `${formatSize(left)} of ${formatSize(limit)} storage left${ask ? '' : ` ${onPlan(use)}`}`;
  if (left > 0 && (adding ?? 0) <= left) return { state: 'room', line };
  // A file that does not fit may still take the place of another.
  return {
    state: 'tight',
    line: <Full line={line} remedy={STORAGE_REMEDY} upgrade={!ask && use} ask={ask} />,
  };
}

/** That the storage is full, where it is, for what goes on nevertheless; undefined otherwise. */
export function useFullStorage(): ReactNode {
  const use = useUse();
  if (!use || use.storage.limit === null || use.storage.used < use.storage.limit) return undefined;
  const ask = isSet(use, 'storage');
  const { used, limit } = use.storage;
  const line = `${formatSize(used)} of ${formatSize(limit)} are in use${ask ? '' : ` ${onPlan(use)}`}. Backups go on, but nothing else can be stored`;
  return <Full line={line} remedy={STORAGE_REMEDY} upgrade={!ask && use} ask={ask} />;
}

/** Asked for at each opening: it changes with everything that is made, here and elsewhere. */
function useUse(): PlanUse | undefined {
  return trpc.billing.limits.useQuery(undefined, { refetchOnMount: 'always' }).data;
}

/** Whether a plan limits anything: not where billing is switched off. */
function isLimited({ plan }: PlanUse): boolean {
  return plan !== NO_PLAN;
}

/** Whether an admin set the limit, so that no plan has another. */
function isSet({ setByAdmin }: PlanUse, of: Limited): boolean {
  return setByAdmin.includes(of);
}

function onPlan({ plan, trial }: PlanUse): string {
  return `on the ${plan} plan${trial ? ' (trial)' : ''}`;
}

interface FullProps {
  line: string;
  remedy: string;
  /** What can be made larger by another plan. */
  upgrade: PlanUse | false;
  /** Whether an admin can make it larger. */
  ask: boolean;
}

function Full({ line, remedy, upgrade, ask }: FullProps): ReactNode {
  const larger = upgrade && upgrade.plan !== PLANS.enterprise.name;
  return (
    <>
      {line}. {remedy}
      {ask && ', or ask an admin for more'}
      {larger && (
        <>
          {', or '}
          <Link to="/billing" className="rounded-sm text-accent-text underline underline-offset-4">
            upgrade your plan
          </Link>
        </>
      )}
      .
    </>
  );
}
