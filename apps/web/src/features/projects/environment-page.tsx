import { getRouteApi } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { trpc } from '../../trpc.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DeployButton } from './deploy-button.tsx';
import { VariableForm } from './variable-form.tsx';
import { VariableTable } from './variable-table.tsx';

const route = getRouteApi('/_console/projects/$projectId/environment');

export function EnvironmentPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [variables] = trpc.projects.variables.useSuspenseQuery({ id: projectId });
  return (
    <div className="flex flex-col gap-6">
      <Notice
        title="A change takes effect at the next deployment"
        action={<DeployButton project={project} />}
      >
        Values are encrypted, masked in logs and never shown again.
      </Notice>
      <Card>
        <CardHeader
          title="Add or replace a variable"
          description="A name that exists already gets the new value."
        />
        <VariableForm projectId={projectId} />
      </Card>
      {variables.length === 0 ? (
        <EmptyState
          icon={KeyRound}
          title="No environment variables yet"
          description="What the app reads from its environment: addresses, keys, switches. PORT is set by the platform."
        />
      ) : (
        <VariableTable projectId={projectId} variables={variables} />
      )}
    </div>
  );
}
