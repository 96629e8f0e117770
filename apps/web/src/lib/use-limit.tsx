import type { PlanUse } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FormLimit } from '../ui/form-dialog.tsx';
import { formatSize } from './format.ts';
import { trpc } from './trpc.ts';

type Counted = 'projects' | 'databases' | 'virtualAccounts';

const NOUNS: Record<Counted, string> = {
  projects: 'projects',
  databases: 'databases',
  virtualAccounts: 'virtual accounts',
};

/** How many there are, and may be, of what a dialog makes; undefined where nothing limits it, and until it is known. */
export function useLimit(of: Counted): FormLimit | undefined {
  const use = useUse();
  if (!use) return undefined;
  const { used, limit } = use[of];
  const noun = NOUNS[of];
  const plan = of === 'projects' ? ` ${onPlan(use)}` : '';
  if (limit === null) return isLimited(use) ? { state: 'room', line: `Unlimited ${noun}${plan}` } : undefined;
  const line = `${used} of ${limit} ${noun}${plan}`;
  if (used < limit) return { state: 'room', line };
  const remedy = of === 'virtualAccounts' ? 'Close one to open another' : 'Delete one to create another';
  return { state: 'full', line: <Full line={line} remedy={remedy} upgrade={of === 'projects' && use} /> };
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
  const line = `${formatSize(left)} of ${formatSize(limit)} storage left ${onPlan(use)}`;
  if (left > 0 && (adding ?? 0) <= left) return { state: 'room', line };
  // A file that does not fit may still take the place of another.
  return { state: 'tight', line: <Full line={line} remedy="Delete files or images" upgrade={use} /> };
}

/** Asked for at each opening: it changes with everything that is made, here and elsewhere. */
function useUse(): PlanUse | undefined {
  return trpc.billing.limits.useQuery(undefined, { refetchOnMount: 'always' }).data;
}

/** Whether a plan limits anything: not where billing is switched off. */
function isLimited({ storage }: PlanUse): boolean {
  return storage.limit !== null;
}

function onPlan({ plan, trial }: PlanUse): string {
  return `on the ${plan} plan${trial ? ' (trial)' : ''}`;
}

interface FullProps {
  line: string;
  remedy: string;
  /** What can be made larger by another plan. */
  upgrade: PlanUse | false;
}

function Full({ line, remedy, upgrade }: FullProps): ReactNode {
  const larger = upgrade && upgrade.plan !== PLANS.enterprise.name;
  return (
    <>
      {line}. {remedy}
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
