import type { Variable } from '@nephos/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DeployButton } from './deploy-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { VariableForm } from './variable-form.tsx';

const route = getRouteApi('/_console/projects/$projectId/environment');

export function EnvironmentPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [variables] = trpc.projects.variables.useSuspenseQuery({ id: projectId });
  /** What is being imported; null while nothing is. */
  const [importing, setImporting] = useState<string | null>(null);
  return (
    <div className="flex flex-col gap-6">
      <Notice title="Changes take effect on the next deployment" action={<DeployButton project={project} />}>
        Values are encrypted, masked in logs and never shown again.
      </Notice>
      <Card>
        <CardHeader title="Add or replace a variable" description="Existing names are overwritten." />
        <VariableForm projectId={projectId} onImport={setImporting} />
      </Card>
      <DataList
        label="Environment variables"
        columns={COLUMNS}
        rows={variables.map((variable) => ({ id: variable.name, ...variable }))}
        alwaysTable
        empty={
          <EmptyState
            icon={KeyRound}
            title="No environment variables yet"
            description="Add API keys, connection strings and other settings your app reads. PORT is set by the platform."
          />
        }
      />
      {importing !== null && (
        <ImportDialog
          projectId={projectId}
          text={importing}
          names={new Set(variables.map(({ name }) => name))}
          onClose={() => setImporting(null)}
        />
      )}
    </div>
  );
}

const COLUMNS: readonly Column<Variable & { id: string }>[] = [
  { heading: 'Name', cell: ({ name }) => <span className="font-mono text-sm">{name}</span> },
  {
    heading: 'Value',
    className: 'max-sm:hidden',
    cell: () => (
      <span className="text-faint">
        <span aria-hidden="true">••••••••</span>
        <span className="sr-only">Hidden</span>
      </span>
    ),
  },
  {
    heading: 'Changed',
    className: 'whitespace-nowrap',
    cell: ({ updatedAt }) => (
      <time dateTime={updatedAt} title={formatInstant(updatedAt)} className="text-muted">
        {formatAgo(updatedAt)}
      </time>
    ),
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'text-right',
    cell: ({ name }) => <DeleteVariable name={name} />,
  },
];

function DeleteVariable({ name }: { name: string }) {
  const { projectId } = route.useParams();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.projects.removeVariable.useMutation(), {
    success: 'Variable deleted',
    failure: 'Failed to delete the variable',
    serverSpeaks: true,
    refresh: [utils.projects.variables],
  });
  return (
    <DeleteDialog
      title="Delete variable?"
      description="The value can't be recovered. The change takes effect on the next deployment."
      name={name}
      label="Delete variable"
      action={remove}
      onConfirm={(close) => remove.run({ id: projectId, name }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${name}`} title={`Delete ${name}`} onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
