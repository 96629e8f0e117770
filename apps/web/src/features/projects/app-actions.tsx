import { Play, RefreshCw, Square } from 'lucide-react';
import { type AppStanding, isUnfinished } from '../../lib/deployment-status.tsx';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentAction } from '../../lib/use-deployment-changes.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface AppActionsProps {
  project: { id: string; name: string };
  standing: AppStanding;
}

/** What can be done with the app as it is now: start what does not run, restart and stop what does. */
export function AppActions({ project, standing: { live, latest, start } }: AppActionsProps) {
  const inProgress = latest !== undefined && isUnfinished(latest);
  if (live) {
    return (
      <>
        <RestartButton projectId={project.id} inProgress={inProgress} />
        <StopButton project={project} inProgress={inProgress} />
      </>
    );
  }
  return start && !inProgress ? <StartButton projectId={project.id} start={start} /> : null;
}

interface StartButtonProps {
  projectId: string;
  start: NonNullable<AppStanding['start']>;
}

function StartButton({ projectId, start: from }: StartButtonProps) {
  const start = useDeploymentAction(trpc.deployments.startApp.useMutation(), {
    success: 'Starting the app',
    failure: 'Failed to start the app',
  });
  const run = useRunButton(projectId);
  return (
    <Button
      title={
        from === 'release'
          ? 'Start the last version again, without rebuilding'
          : 'The last version is no longer kept: build and start the latest'
      }
      {...run}
      {...start.button}
      onClick={() => start.run({ id: projectId })}
    >
      {!start.pending && <Play aria-hidden="true" />}
      Start
    </Button>
  );
}

export function RestartButton({ projectId, inProgress }: { projectId: string; inProgress: boolean }) {
  const restart = useDeploymentAction(trpc.deployments.restartApp.useMutation(), {
    success: 'Restarting the app',
    failure: 'Failed to restart the app',
  });
  const run = useRunButton(projectId);
  return (
    <Button
      title="Start a new instance of this version and switch to it once it is healthy"
      reason={inProgress ? 'A deployment is in progress' : undefined}
      {...run}
      {...restart.button}
      onClick={() => restart.run({ id: projectId })}
    >
      {!restart.pending && <RefreshCw aria-hidden="true" />}
      Restart
    </Button>
  );
}

interface StopButtonProps extends Pick<AppActionsProps, 'project'> {
  inProgress: boolean;
}

function StopButton({ project: { id, name }, inProgress }: StopButtonProps) {
  const stop = useDeploymentAction(trpc.deployments.stopApp.useMutation(), {
    success: 'App stopped',
    failure: 'Failed to stop the app',
  });
  return (
    <ConfirmDialog
      title={`Stop ${name}?`}
      description={
        <>
          Visitors will see a “Stopped” page until you start or deploy it again.
          {inProgress && ' The deployment in progress will be cancelled.'} Releases, logs and variables are
          kept.
        </>
      }
      label="Stop app"
      action={stop}
      onConfirm={(close) => stop.run({ id }, close)}
      trigger={(ask) => (
        <Button onClick={ask}>
          <Square aria-hidden="true" />
          Stop
        </Button>
      )}
    />
  );
}
