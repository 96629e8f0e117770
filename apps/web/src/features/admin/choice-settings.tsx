import type { InstallationSettings } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { type OnSaved, setAs } from './setting.ts';

const SIGNUPS = [
  { value: 'open', label: 'Anyone can create an account' },
  { value: 'invite', label: 'Only people with an invitation' },
  { value: 'closed', label: 'Nobody' },
] as const;

const BILLING = [
  { value: 'on', label: 'On: trials, plans and their limits' },
  { value: 'off', label: 'Off: nothing is sold, no plan limits' },
] as const;

function useChange({ onSaved }: OnSaved) {
  const utils = trpc.useUtils();
  return useAction(trpc.admin.changeSettings.useMutation(), {
    success: 'Settings saved',
    failure: 'Failed to save the settings',
    serverSpeaks: true,
    refresh: [utils.admin.settings, utils.admin.engines, utils.billing.status],
    onDone: onSaved,
  });
}

/** Who can create an account; applied as it is chosen. */
export function SignupsSetting({
  signups,
  fixed,
  onSaved,
}: Pick<InstallationSettings, 'signups' | 'fixed'> & OnSaved) {
  const change = useChange({ onSaved });
  const isFixed = fixed.includes('signups');
  return (
    <>
      <Field label="Sign-ups" hint={isFixed ? setAs('SIGNUPS') : 'Who can create an account.'}>
        <Select
          value={signups}
          onValueChange={(chosen) => change.run({ signups: chosen })}
          options={SIGNUPS}
          disabled={isFixed || change.pending}
        />
      </Field>
      {change.refusal && <Notice tone="danger" title={change.refusal} />}
    </>
  );
}

/** Whether plans are sold; applied as it is chosen. */
export function BillingSetting({
  billing,
  fixed,
  onSaved,
}: Pick<InstallationSettings, 'billing' | 'fixed'> & OnSaved) {
  const change = useChange({ onSaved });
  const isFixed = fixed.includes('billing');
  return (
    <>
      <Field
        label="Billing"
        hint={
          isFixed ? setAs('BILLING') : 'Turned on later, it gives no trial to people who are here already.'
        }
      >
        <Select
          value={billing ? 'on' : 'off'}
          onValueChange={(chosen) => change.run({ billing: chosen === 'on' })}
          options={BILLING}
          disabled={isFixed || change.pending}
        />
      </Field>
      {change.refusal && <Notice tone="danger" title={change.refusal} />}
    </>
  );
}
