import type { AppRun, AppRunStatus } from '@nephos/contracts';
import { Ban, CircleCheck, CircleX, Clock, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration } from '../../lib/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const LOOKS: Record<AppRunStatus, { label: string; tone: BadgeTone; icon: ReactNode }> = {
  queued: { label: 'Queued', tone: 'neutral', icon: <Clock aria-hidden="true" /> },
  running: { label: 'Running', tone: 'info', icon: <Spinner /> },
  succeeded: { label: 'Succeeded', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
  'timed-out': { label: 'Timed out', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
  skipped: { label: 'Skipped', tone: 'neutral', icon: <SkipForward aria-hidden="true" /> },
  missed: { label: 'Missed', tone: 'warning', icon: <Clock aria-hidden="true" /> },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: <Ban aria-hidden="true" /> },
};

export function RunStatusBadge({ status }: { status: AppRunStatus }) {
  const { label, tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

export function isUnfinished({ status }: Pick<AppRun, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** How long a run took; '' for one that did not take place, or goes on. */
export function durationOf({ startedAt, finishedAt }: AppRun): string {
  return startedAt && finishedAt ? formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)) : '';
}
