import type { AppProcess, ProcessInstance } from '@nephos/contracts';
import { CircleCheck, CirclePause, CircleX, RefreshCw } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const LOOKS = {
  starting: { label: 'Starting', tone: 'info', icon: <Spinner /> },
  running: { label: 'Running', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  crashed: { label: 'Restarting', tone: 'warning', icon: <RefreshCw aria-hidden="true" /> },
  failed: { label: 'Crashed', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
  stopped: { label: 'Stopped', tone: 'neutral', icon: <CirclePause aria-hidden="true" /> },
} as const;

/** Each instance of a process with its state, and what made it end where it did. */
export function InstanceList({ process: { name, instances } }: { process: AppProcess }) {
  if (instances.length === 0) return <p className="mt-3 text-faint text-sm">Not running</p>;
  return (
    <ul aria-label={`Instances of ${name}`} className="mt-3 divide-y divide-line border-line border-t">
      {instances.map((instance) => (
        <li
          key={instance.instance}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-3 not-last:pb-3"
        >
          <span className="text-sm">Instance {instance.instance}</span>
          <Badge tone={LOOKS[instance.state].tone} icon={LOOKS[instance.state].icon}>
            {LOOKS[instance.state].label}
          </Badge>
          <time
            dateTime={instance.since}
            title={formatInstant(instance.since)}
            className="text-muted text-sm first-letter:uppercase"
          >
            {formatAgo(instance.since)}
          </time>
          <span className="text-muted text-sm">{factsOf(instance)}</span>
          {instance.reason && <span className="basis-full text-danger text-sm">It {instance.reason}.</span>}
        </li>
      ))}
    </ul>
  );
}

function factsOf({ node, port, restarts }: ProcessInstance): string {
  const restarted = restarts === 0 ? [] : [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`];
  return [
    ...(node === null ? [] : [`On ${node}`]),
    ...(port === null ? [] : [`Port ${port}`]),
    ...restarted,
  ].join(' · ');
}
