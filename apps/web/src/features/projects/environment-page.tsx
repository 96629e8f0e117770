import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isUnfinished } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { RestartButton } from './app-actions.tsx';
import { DeployButton } from './deploy-button.tsx';
import { LinkedGroups } from './linked-groups.tsx';
import { VariableForm } from './variable-form.tsx';
import { VariableList } from './variable-list.tsx';

const route = getRouteApi('/_console/projects/$projectId/environment');

export function EnvironmentPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [variables] = trpc.projects.variables.useSuspenseQuery({ id: projectId });
  const [groups] = trpc.variableGroups.ofProject.useSuspenseQuery({ id: projectId });
  const inProgress = project.latestDeployment !== null && isUnfinished(project.latestDeployment);
  const overrides = useMemo(() => {
    const shared = new Map(groups.flatMap((group) => group.variables.map(({ name }) => [name, group.name])));
    return (name: string) =>
      shared.has(name) && <span className="text-muted text-xs">Overrides {shared.get(name)}</span>;
  }, [groups]);
  const holder = { kind: 'project', id: projectId } as const;
  return (
    <div className="flex flex-col gap-6">
      <Notice
        title="Changes take effect on the next restart or deployment"
        action={
          <>
            {project.liveDeploymentId && <RestartButton projectId={projectId} inProgress={inProgress} />}
            <DeployButton project={project} />
          </>
        }
      >
        A restart gives the app its variables as they are now. Only a deployment builds with them. Values are
        encrypted, masked in logs and never shown again.
      </Notice>
      <VariableForm holder={holder} variables={variables} />
      <VariableList holder={holder} variables={variables} overrides={overrides} />
      <LinkedGroups projectId={projectId} groups={groups} own={variables} />
    </div>
  );
}
