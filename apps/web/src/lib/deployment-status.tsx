import type { Deployment, DeploymentStatus, DeploymentStep, Project } from '@nephos/contracts';
import { CircleCheck, CirclePause, CircleSlash, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Spinner } from '../ui/spinner.tsx';

interface StatusLook {
  label: string;
  tone: BadgeTone;
  /** Absent while work is under way: then a spinner turns. */
  icon?: LucideIcon;
}

const LOOKS: Record<DeploymentStatus, StatusLook> = {
  queued: { label: 'Queued', tone: 'neutral', icon: Clock },
  building: { label: 'Building', tone: 'info' },
  deploying: { label: 'Deploying', tone: 'info' },
  running: { label: 'Running', tone: 'success', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'danger', icon: CircleX },
  stopped: { label: 'Stopped', tone: 'neutral', icon: CirclePause },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: CircleSlash },
};

/** A deployment's state with its icon. */
export function DeploymentStatusBadge({ status }: { status: DeploymentStatus }) {
  const { label, tone, icon: Icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={Icon ? <Icon aria-hidden="true" /> : <Spinner />}>
      {label}
    </Badge>
  );
}

/** Whether more is to come: queued or under way. */
export function isUnfinished({ status }: Pick<Deployment, 'status'>): boolean {
  return status === 'queued' || status === 'building' || status === 'deploying';
}

/** What the platform is doing at each step; after 'failed while' it reads on in lower case. */
export const STEP_LABELS: Record<DeploymentStep, string> = {
  clone: 'Cloning',
  detect: 'Detecting the app',
  install: 'Installing',
  build: 'Building',
  start: 'Starting',
  health: 'Checking health',
  switch: 'Switching over',
};

/** Whether there is anything to deploy: a repository, or a template that the project was made from. */
export function hasSource({ repositoryUrl, template }: Pick<Project, 'repositoryUrl' | 'template'>): boolean {
  return repositoryUrl !== '' || template !== null;
}

const SHORT = 7;

/** The commit as people name it; a dash until it is known. */
export function shortCommit(commit: string | null): string {
  return commit ? commit.slice(0, SHORT) : '–';
}
