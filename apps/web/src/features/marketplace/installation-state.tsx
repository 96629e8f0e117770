import type { Installation } from '@nephos/contracts';
import { Progress } from '../../ui/progress.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Receipt } from './receipt.tsx';

export interface InstallationStateProps {
  /** Of the item. */
  name: string;
  installation: Installation;
}

/** How far an installation has come, why it failed, or what it made. */
export function InstallationState({ name, installation }: InstallationStateProps) {
  switch (installation.status) {
    case 'installing':
      return <InstallProgress name={name} installation={installation} />;
    case 'failed':
      return (
        <div className="mt-4 rounded-lg border border-danger/50 bg-danger-soft px-3 py-2 text-sm">
          <p className="font-medium">The installation failed</p>
          <p className="mt-0.5 break-words text-muted">{installation.error}</p>
        </div>
      );
    case 'installed':
      return <Receipt name={name} receipt={installation.receipt} />;
  }
}

function InstallProgress({ name, installation: { step, steps, doing } }: InstallationStateProps) {
  return (
    <div className="mt-4 flex flex-col gap-2 text-sm">
      <div role="status" className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 gap-2 font-medium">
          <Spinner className="mt-0.5 shrink-0 text-accent-text" />
          <span className="min-w-0 break-words">{doing || 'Waiting to begin'}</span>
        </span>
        <span className="shrink-0 text-faint text-xs tabular-nums">
          Step {Math.min(step + 1, steps)} of {steps}
        </span>
      </div>
      <Progress label={`Installing ${name}`} value={step} max={steps} />
    </div>
  );
}
