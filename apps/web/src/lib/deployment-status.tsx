import type { Deployment, DeploymentStatus, DeploymentStep, Project } from '@nephos/contracts';
import { type AppState, appStateOf, shortDigest, shortImage } from '@nephos/contracts/constants';
import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  type LucideIcon,
} from 'lucide-react';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Spinner } from '../ui/spinner.tsx';

interface StatusLook {
  label: string;
  tone: BadgeTone;
  /** Absent while work is under way: then a spinner turns. */
  icon?: LucideIcon;
}

const LOOKS: Record<DeploymentStatus | AppState, StatusLook> = {
  queued: { label: 'Queued', tone: 'neutral', icon: Clock },
  building: { label: 'Building', tone: 'info' },
  deploying: { label: 'Deploying', tone: 'info' },
  running: { label: 'Running', tone: 'success', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'danger', icon: CircleX },
  stopped: { label: 'Stopped', tone: 'neutral', icon: CirclePause },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: CircleSlash },
  none: { label: 'Not deployed', tone: 'neutral', icon: CircleDashed },
};

/** The state of a deployment, or of a project's app, with its icon. */
export function DeploymentStatusBadge({ status }: { status: DeploymentStatus | AppState }) {
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

/** A project's app as its deployments tell it, newest first: all from one list, so all of one moment. */
export interface AppStanding {
  state: AppState;
  /** The deployment that requests go to. */
  live: Deployment | undefined;
  latest: Deployment | undefined;
  /** What there is to start: the version that ran last, or where its release is not kept, a build of the newest. */
  start: 'release' | 'build' | undefined;
}

export function standingOf(deployments: readonly Deployment[]): AppStanding {
  const live = deployments.find((deployment) => deployment.live);
  const outcome = deployments.find(isOutcome);
  return {
    state: appStateOf(live !== undefined, outcome?.status ?? null),
    live,
    latest: deployments[0],
    start: startOf(deployments),
  };
}

function startOf(deployments: readonly Deployment[]): AppStanding['start'] {
  const last = deployments.find((deployment) => deployment.status === 'stopped' || hasCrashed(deployment));
  if (!last) return undefined;
  return last.releaseKept ? 'release' : 'build';
}

type Outcome = Deployment & { status: Exclude<DeploymentStatus, 'cancelled'> };

function isOutcome(deployment: Deployment): deployment is Outcome {
  return deployment.status !== 'cancelled';
}

/** Whether it failed after requests went to it. */
export function hasCrashed({ status, step }: Pick<Deployment, 'status' | 'step'>): boolean {
  return status === 'failed' && step === 'switch';
}

/** Beside a running app that another deployment is about to replace. */
export const IN_PROGRESS = 'Deployment in progress';
/** Beside a running app whose newest deployment is not it. */
export const STILL_RUNNING = 'Last deploy failed; previous version is still running';

/** What the state of a running app does not say: that the newest deployment is another one. */
export function remarkOn(state: AppState, latest: Pick<Deployment, 'status'> | null): string | undefined {
  if (state !== 'running' || latest === null) return undefined;
  if (latest.status === 'failed') return STILL_RUNNING;
  return isUnfinished(latest) ? IN_PROGRESS : undefined;
}

/** What the platform is doing at each step; after 'failed while' it reads on in lower case. */
export const STEP_LABELS: Record<DeploymentStep, string> = {
  variables: 'Reading variables',
  clone: 'Cloning',
  pull: 'Pulling the image',
  detect: 'Detecting the app',
  install: 'Installing',
  build: 'Building',
  release: 'Running the release command',
  start: 'Starting',
  health: 'Checking health',
  switch: 'Switching over',
};

/** Whether there is anything to deploy: a repository, what was pushed, an image, or what the project was made from. */
export function hasSource({
  repositoryUrl,
  pushed,
  image,
  template,
  recipe,
}: Pick<Project, 'repositoryUrl' | 'pushed' | 'image' | 'template' | 'recipe'>): boolean {
  return repositoryUrl !== '' || pushed || image !== '' || template !== null || recipe !== null;
}

const SHORT = 7;

/** What a deployment is of: a commit, or an image. */
export interface Version {
  kind: 'commit' | 'image';
  /** The commit's id or the image's digest; null before it is known, and for a template. */
  id: string | null;
  /** The same as people name it. */
  short: string;
  /** The commit's message or the image's tag. */
  title: string;
}

export function versionOf({
  image,
  imageDigest,
  commit,
  commitMessage,
  branch,
}: Pick<Deployment, 'image' | 'imageDigest' | 'commit' | 'commitMessage' | 'branch'>): Version {
  if (image) {
    const short = imageDigest ? shortDigest(imageDigest) : '';
    return { kind: 'image', id: imageDigest, short, title: shortImage(image) };
  }
  return { kind: 'commit', id: commit, short: commit?.slice(0, SHORT) ?? '', title: commitMessage ?? branch };
}
