import { lazy } from 'react';
import { LatePart } from '../../shell/late-part.tsx';

const ProjectAlerts = lazy(() =>
  import('./project-alerts.tsx').then((part) => ({ default: part.ProjectAlerts })),
);

/** The alerts of a project on its page: loaded after it. */
export function LateProjectAlerts({ projectId }: { projectId: string }) {
  return (
    <LatePart wanted={false}>
      <ProjectAlerts projectId={projectId} />
    </LatePart>
  );
}
