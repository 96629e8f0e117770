import type { Deployment, DeploymentKind } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import {
  Container,
  GitCommitHorizontal,
  type LucideIcon,
  PackageCheck,
  Play,
  RefreshCw,
  RotateCcw,
  ScrollText,
} from 'lucide-react';
import {
  DeploymentStatusBadge,
  hasCrashed,
  isUnfinished,
  STEP_LABELS,
  versionOf,
} from '../../lib/deployment-status.tsx';
import { formatAgo, formatDuration, formatInstant } from '../../lib/format.ts';
import { ImageTitle } from '../../lib/image-title.tsx';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentAction } from '../../lib/use-deployment-changes.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

export interface DeploymentRowProps {
  deployment: Deployment;
  /** Epoch milliseconds. */
  now: number;
}

export function DeploymentRow({ deployment, now }: DeploymentRowProps) {
  const { id, projectId, status, step, error, releaseKept, live } = deployment;
  const unfinished = isUnfinished(deployment);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3 sm:flex-nowrap">
      <div className="flex w-full flex-wrap items-center gap-2 sm:w-52 sm:shrink-0">
        <DeploymentStatusBadge status={status} />
        {step && stepSaysMore(deployment) && <span className="text-muted text-sm">{STEP_LABELS[step]}</span>}
        {live && <Badge tone="accent">Live</Badge>}
      </div>
      <div className="min-w-0 grow basis-48">
        <DeployedVersion deployment={deployment} />
        {status === 'failed' && error && <p className="mt-1 break-words text-danger text-sm">{error}</p>}
        <Timing deployment={deployment} now={now} />
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-2">
        {unfinished && <CancelButton deploymentId={id} />}
        {!unfinished && releaseKept && !live && <RollbackButton deployment={deployment} />}
        <Link
          to="/projects/$projectId/log"
          params={{ projectId }}
          search={{ deployment: id }}
          className={buttonStyles({ size: 'sm' })}
        >
          <ScrollText aria-hidden="true" />
          Build log
        </Link>
      </div>
    </li>
  );
}

/** Deployments that start an earlier release again, without a build. */
const KINDS: Record<Exclude<DeploymentKind, 'deploy'>, { label: string; icon: LucideIcon }> = {
  rollback: { label: 'Rollback', icon: RotateCcw },
  start: { label: 'Start', icon: Play },
  restart: { label: 'Restart', icon: RefreshCw },
};

/** Nothing had changed since the last build, so there was none. */
const SAME_BUILD = { label: 'Same build', icon: PackageCheck };

const VERSION_ICONS = { commit: GitCommitHorizontal, image: Container };

/** What was deployed, and whether it was deployed before. */
function DeployedVersion({ deployment }: { deployment: Deployment }) {
  const { kind, rollbackOf } = deployment;
  const version = versionOf(deployment);
  const Icon = VERSION_ICONS[version.kind];
  const builtLook = rollbackOf === null ? undefined : SAME_BUILD;
  const kindLook = kind === 'deploy' ? builtLook : KINDS[kind];
  return (
    <div className="flex min-w-0 items-center gap-2">
      {version.id && (
        <>
          <span className="inline-flex shrink-0 items-center gap-1 font-mono text-muted text-sm">
            <Icon aria-hidden="true" className="size-4 text-faint" />
            {version.short}
          </span>
          <CopyButton
            value={version.id}
            label={`Copy ${version.kind === 'image' ? 'digest' : 'commit'} ${version.short}`}
            className="-mx-1 size-6 max-sm:hidden"
          />
        </>
      )}
      {version.kind === 'image' ? (
        <ImageTitle image={deployment.image} />
      ) : (
        <span className="min-w-0 truncate">{version.title}</span>
      )}
      {kindLook && (
        <Badge icon={<kindLook.icon aria-hidden="true" />} className="shrink-0">
          {kindLook.label}
        </Badge>
      )}
    </div>
  );
}

/** Whether the step tells what the badge beside it does not. */
function stepSaysMore(deployment: Deployment): boolean {
  const { status, step } = deployment;
  if (status === 'running' || status === 'stopped' || hasCrashed(deployment)) return false;
  return !(status === 'building' && step === 'build');
}

/** When it began, and how long it took to get to where it is. */
function Timing({ deployment: { createdAt, startedAt, finishedAt, cause }, now }: DeploymentRowProps) {
  const began = startedAt ?? createdAt;
  const ended = finishedAt ? Date.parse(finishedAt) : now;
  return (
    <p className="mt-0.5 text-faint text-sm">
      <time dateTime={began} title={formatInstant(began)}>
        {formatAgo(began)}
      </time>
      {startedAt && ` · ${formatDuration(ended - Date.parse(startedAt))}`}
      {cause && ` · ${cause}`}
    </p>
  );
}

/** Ends a deployment that is queued or under way. */
function CancelButton({ deploymentId }: { deploymentId: string }) {
  const cancel = useDeploymentAction(trpc.deployments.cancel.useMutation(), {
    success: 'Deployment cancelled',
    failure: 'Failed to cancel the deployment',
  });
  return (
    <Button size="sm" {...cancel.button} onClick={() => cancel.run({ id: deploymentId })}>
      Cancel
    </Button>
  );
}

/** Starts a kept release again, without a build. */
function RollbackButton({ deployment }: { deployment: Deployment }) {
  const { id, projectId } = deployment;
  const { short } = versionOf(deployment);
  const rollback = useDeploymentAction(trpc.deployments.rollback.useMutation(), {
    success: short ? `Rolling back to ${short}` : 'Rolling back',
    failure: 'Failed to roll back',
  });
  const run = useRunButton(projectId);
  return (
    <Button
      size="sm"
      title="Start this version again, without rebuilding"
      {...run}
      {...rollback.button}
      onClick={() => rollback.run({ id })}
    >
      {!rollback.pending && <RotateCcw aria-hidden="true" />}
      Rollback
    </Button>
  );
}
