import type { Engine } from '@nephos/contracts';
import { CircleCheck, CircleOff, CircleX, Plug, ShieldCheck, ShieldOff } from 'lucide-react';
import { lazy } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FRESH } from './fresh.ts';
import { Nodes } from './nodes.tsx';
import { Panel, PanelSkeleton } from './panel.tsx';

const TestMail = lazy(() => import('./test-mail.tsx').then(({ TestMail }) => ({ default: TestMail })));

const LOOKS = {
  healthy: { tone: 'success', icon: CircleCheck, label: 'Healthy' },
  unhealthy: { tone: 'danger', icon: CircleX, label: 'Unhealthy' },
  off: { tone: 'neutral', icon: CircleOff, label: 'Off' },
} as const;

const FAILURE = 'Failed to check engines';

/** What the server drives and is driven by, and how each part is. */
export function EnginesTab() {
  const engines = trpc.admin.engines.useQuery(undefined, FRESH);
  if (!engines.data) {
    if (engines.error) return <LoadFailure query={engines} failure={FAILURE} />;
    return <PanelSkeleton label="Checking engines…" />;
  }
  const summary = engines.error ? 'Showing the last known state.' : summaryOf(engines.data);
  return (
    <Panel
      title="Engines"
      about={
        <p role="status" className="text-muted">
          {summary} Changes to settings take effect after a restart.
        </p>
      }
      again="Check again"
      query={engines}
      failure={FAILURE}
    >
      {engines.data.length === 0 ? (
        <EmptyState icon={Plug} title="No engines found" description="This server reports no engines." />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {engines.data.map((engine) => (
            <EngineRow key={engine.id} engine={engine} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function summaryOf(engines: readonly Engine[]): string {
  const unhealthy = engines.filter(({ state }) => state === 'unhealthy').length;
  if (unhealthy === 0) return 'All active engines are healthy.';
  return `${unhealthy} of ${engines.length} unhealthy.`;
}

/** What an engine is for, what runs as it, how it is, and which settings change that. */
function EngineRow({ engine }: { engine: Engine }) {
  const { name, running, state, detail, settings, isolation = [], nodes } = engine;
  return (
    <li className="flex flex-wrap justify-between gap-x-8 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="font-medium">{name}</h3>
          <EngineState state={state} />
        </div>
        <p className="mt-1 break-words">{running}</p>
        {detail && <p className="mt-0.5 break-words text-muted text-sm">{detail}</p>}
      </div>
      {settings.length > 0 && (
        <div className="flex min-w-0 basis-72 flex-col gap-1">
          <p className="text-faint text-sm">{settings.length === 1 ? 'Setting' : 'Settings'}</p>
          <ul aria-label={`Settings of ${name}`} className="flex flex-wrap gap-1.5">
            {settings.map((setting) => (
              <li
                key={setting}
                className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2.5"
              >
                <code className="break-all text-sm">{setting}</code>
                <CopyButton value={setting} label={`Copy ${setting}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {engine.id === 'mail' && state !== 'off' && (
        <LatePart wanted={false} onSaid={() => {}}>
          <TestMail />
        </LatePart>
      )}
      {nodes && <Nodes nodes={nodes} />}
      {isolation.length > 0 && <Isolation name={name} facts={isolation} />}
    </li>
  );
}

/** What keeps projects apart, and what does not. */
function Isolation({ name, facts }: { name: string; facts: NonNullable<Engine['isolation']> }) {
  return (
    <div className="basis-full">
      <p className="text-faint text-sm">Isolation between projects</p>
      <ul aria-label={`Isolation of ${name}`} className="mt-1.5 grid gap-x-8 gap-y-3 md:grid-cols-2">
        {facts.map((fact) => (
          <li key={fact.name} className="flex gap-2.5 text-sm">
            {fact.holds ? (
              <ShieldCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <ShieldOff aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
            )}
            <div className="min-w-0">
              <p className="font-medium">
                {fact.name}: {fact.holds ? 'yes' : 'no'}
              </p>
              <p className="break-words text-muted">{fact.detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function EngineState({ state }: { state: Engine['state'] }) {
  const { tone, icon: Icon, label } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  );
}
