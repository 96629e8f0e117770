import type { Deployment, Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { STEP_LABELS } from '../../lib/deployment-steps.ts';
import { hasSource } from '../../lib/has-source.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Notice } from '../../ui/notice.tsx';

export interface ProjectNoticeProps {
  project: Project;
  /** Absent while nothing was ever deployed. */
  latest: Deployment | undefined;
}

/** What a person has to know about a project before anything else: that its last deployment failed, or what is missing. */
export function ProjectNotice({ project, latest }: ProjectNoticeProps) {
  if (latest?.status === 'failed') return <Failure project={project} failed={latest} />;
  if (!hasSource(project)) return <NoRepository projectId={project.id} />;
  return null;
}

function Failure({ project, failed }: { project: Project; failed: Deployment }) {
  return (
    <Notice
      tone="danger"
      className="mb-6"
      title={
        failed.step
          ? `The deployment failed while ${STEP_LABELS[failed.step].toLowerCase()}`
          : 'The deployment failed'
      }
      action={
        <Link
          to="/projects/$projectId/log"
          params={{ projectId: project.id }}
          search={{ deployment: failed.id }}
          className={buttonStyles({ size: 'sm' })}
        >
          View log
        </Link>
      }
    >
      {failed.error && <p className="text-fg">{failed.error}</p>}
      {project.liveDeploymentId && <p>The previous version is still serving.</p>}
    </Notice>
  );
}

function NoRepository({ projectId }: { projectId: string }) {
  return (
    <Notice
      className="mb-6"
      title="This project has no repository yet"
      action={
        <Link
          to="/projects/$projectId/settings"
          params={{ projectId }}
          className={buttonStyles({ size: 'sm', variant: 'primary' })}
        >
          Open Settings
        </Link>
      }
    >
      Set its repository in Settings, then Deploy builds and starts it.
    </Notice>
  );
}
