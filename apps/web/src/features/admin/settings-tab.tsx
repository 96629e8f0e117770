import type { InstallationSettings } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { FactorDemand } from './factor-demand.tsx';
import { FRESH } from './fresh.ts';
import { MailSettings } from './mail-settings.tsx';
import { Panel, PanelSkeleton } from './panel.tsx';

const FAILURE = 'Failed to load the settings';

/** What an admin decides for the whole installation; what the environment sets is only shown. */
export function SettingsTab() {
  const settings = trpc.admin.settings.useQuery(undefined, FRESH);
  if (!settings.data) {
    if (settings.error) return <LoadFailure query={settings} failure={FAILURE} />;
    return <PanelSkeleton label="Loading settings…" />;
  }
  return (
    <Panel
      title="Settings"
      about={
        <p className="text-muted">
          Applied at once, on every server. What the server's environment sets is changed there.
        </p>
      }
      again="Refresh"
      query={settings}
      failure={FAILURE}
    >
      <div className="divide-y divide-line rounded-xl border border-line bg-surface px-5">
        <Part>
          <h3 className="font-medium">Public address</h3>
          <p className="break-all">{settings.data.publicUrl}</p>
          <p className="text-muted text-sm">
            Where people reach the console. To change it, set <code>PUBLIC_URL</code> and restart the server.
          </p>
        </Part>
        <Choices {...settings.data} />
        <Part>
          <FactorDemand />
        </Part>
        <Part>
          <MailSettings key={JSON.stringify(settings.data.mail)} {...settings.data} />
        </Part>
      </div>
    </Panel>
  );
}

function Part({ children }: { children: ReactNode }) {
  return <div className="max-w-xl space-y-1 py-5">{children}</div>;
}

const SIGNUPS = [
  { value: 'open', label: 'Anyone can create an account' },
  { value: 'invite', label: 'Only people with an invitation' },
  { value: 'closed', label: 'Nobody' },
] as const;

const BILLING = [
  { value: 'on', label: 'On: trials, plans and their limits' },
  { value: 'off', label: 'Off: nothing is sold, no plan limits' },
] as const;

/** For a setting that the environment has. */
const setAs = (variable: string) => `Set as ${variable} in the server's environment.`;

function Choices({ signups, billing, fixed }: InstallationSettings) {
  const utils = trpc.useUtils();
  const change = useAction(trpc.admin.changeSettings.useMutation(), {
    success: 'Settings saved',
    failure: 'Failed to save the settings',
    serverSpeaks: true,
    refresh: [utils.admin.settings, utils.admin.engines, utils.billing.status],
  });
  return (
    <>
      <Part>
        <Field
          label="Sign-ups"
          hint={fixed.includes('signups') ? setAs('SIGNUPS') : 'Who can create an account.'}
        >
          <Select
            value={signups}
            onValueChange={(chosen) => change.run({ signups: chosen })}
            options={SIGNUPS}
            disabled={fixed.includes('signups') || change.pending}
          />
        </Field>
      </Part>
      <Part>
        <Field
          label="Billing"
          hint={
            fixed.includes('billing')
              ? setAs('BILLING')
              : 'Turned on later, it gives no trial to people who are here already.'
          }
        >
          <Select
            value={billing ? 'on' : 'off'}
            onValueChange={(chosen) => change.run({ billing: chosen === 'on' })}
            options={BILLING}
            disabled={fixed.includes('billing') || change.pending}
          />
        </Field>
        {change.refusal && <Notice tone="danger" title={change.refusal} />}
      </Part>
    </>
  );
}
