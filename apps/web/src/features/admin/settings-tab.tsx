import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { BillingSetting, SignupsSetting } from './choice-settings.tsx';
import { FactorDemand } from './factor-demand.tsx';
import { FRESH } from './fresh.ts';
import { MailSettings } from './mail-settings.tsx';
import { Panel, PanelSkeleton } from './panel.tsx';
import { PublicAddress } from './public-address.tsx';

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
          Applied at once, on every server; a new address after a restart. What the server's environment sets
          is changed there.
        </p>
      }
      again="Refresh"
      query={settings}
      failure={FAILURE}
    >
      <div className="divide-y divide-line rounded-xl border border-line bg-surface px-5">
        <Part>
          <PublicAddress {...settings.data} />
        </Part>
        <Part>
          <SignupsSetting {...settings.data} />
        </Part>
        <Part>
          <BillingSetting {...settings.data} />
        </Part>
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
