import { classNames } from '../../ui/class-names.ts';
import type { LogState } from './use-log.ts';

const LOOKS: Record<LogState, { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-info' },
  live: { label: 'Live', dot: 'bg-success' },
  interrupted: { label: 'Reconnecting…', dot: 'bg-warning' },
  complete: { label: 'Complete', dot: 'bg-faint' },
};

/** Whether more of the log may come. */
export function LogStateLabel({ state }: { state: LogState }) {
  const { label, dot } = LOOKS[state];
  return (
    <span role="status" className="inline-flex items-center gap-2 text-muted text-sm">
      <span aria-hidden="true" className={classNames('size-2 rounded-full', dot)} />
      {label}
    </span>
  );
}
