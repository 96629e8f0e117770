import type { FactorDemand } from '@nephos/contracts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { Switch } from '../ui/switch.tsx';
import { LoadFailure, type LoadFailureProps } from './load-failure.tsx';
import type { Action } from './use-action.ts';

/** What is said of a demand that was changed. */
export const SAVED = {
  success: 'Two-step login saved',
  failure: 'Failed to save',
  serverSpeaks: true,
} as const;

interface FactorDemandSwitchProps {
  query: LoadFailureProps['query'] & { data: FactorDemand | undefined };
  action: Pick<Action<never>, 'pending' | 'refusal'>;
  onChange: (demanded: boolean) => void;
  /** What those who lack it cannot use, for example `this workspace`. */
  what: string;
}

/** Whether people have to have a second factor, and how many would be kept out. */
export function FactorDemandSwitch({ query, action, onChange, what }: FactorDemandSwitchProps) {
  if (!query.data) {
    if (query.error) return <LoadFailure query={query} failure="Failed to load two-step login" />;
    return (
      <SkeletonGroup label="Loading two-step login">
        <Skeleton className="h-12" />
      </SkeletonGroup>
    );
  }
  const { demanded } = query.data;
  return (
    <>
      <Field label="Require two-step login" hint={hintOf(query.data, what)}>
        <Switch checked={demanded} onCheckedChange={onChange} disabled={action.pending} />
      </Field>
      {action.refusal && <Notice className="mt-3" tone="danger" title={action.refusal} />}
    </>
  );
}

function hintOf({ demanded, lacking }: FactorDemand, what: string): string {
  const exempt = 'Service accounts are exempt.';
  if (lacking === 0) return `Everyone has it. ${exempt}`;
  const who = lacking === 1 ? "1 person doesn't" : `${lacking} people don't`;
  const they = demanded ? 'They' : 'With this on, they';
  return `${who} have it. ${they} and their access tokens can't use ${what} until they set it up. ${exempt}`;
}
