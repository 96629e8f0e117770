import type { Variable } from '@nephos/contracts';
import { KeyRound, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { ReferenceChip } from './reference-chip.tsx';
import { useRemoveVariable, useScopeVariable, type VariableHolder } from './use-variable-actions.ts';
import { SCOPE_OPTIONS } from './variable-words.ts';

export interface VariableListProps {
  holder: VariableHolder;
  variables: readonly Variable[];
  /** Where a variable is set that this one takes the place of. */
  overrides?: (name: string) => ReactNode;
}

/** The variables of a project or a group, without their values. */
export function VariableList({ holder: { kind, id }, variables, overrides }: VariableListProps) {
  const columns = useMemo(() => columnsFor({ kind, id }, overrides), [kind, id, overrides]);
  return (
    <DataList
      label="Environment variables"
      columns={columns}
      rows={variables.map((variable) => ({ id: variable.name, ...variable }))}
      empty={
        <EmptyState
          icon={KeyRound}
          title="No environment variables yet"
          description="Add API keys, connection strings and other settings your app reads. PORT is set by the platform."
        />
      }
    />
  );
}

function columnsFor(
  holder: VariableHolder,
  overrides: VariableListProps['overrides'],
): readonly Column<Variable & { id: string }>[] {
  return [
    {
      heading: 'Name',
      card: 'title',
      cell: ({ name }) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-all font-mono text-sm">{name}</span>
          {overrides?.(name)}
        </div>
      ),
    },
    { heading: 'Value', card: 'line', cell: (variable) => <Value variable={variable} /> },
    {
      heading: 'Available to',
      className: 'w-44',
      cell: (variable) => <Scope holder={holder} variable={variable} />,
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
      card: 'aside',
      cell: (variable) => <DeleteVariable holder={holder} variable={variable} />,
    },
  ];
}

function Value({ variable: { reference, references } }: { variable: Variable }) {
  if (reference !== null) return <ReferenceChip path={reference} />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-faint">
        <span aria-hidden="true">••••••••</span>
        <span className="sr-only">Hidden</span>
      </span>
      {references.map((path) => (
        <ReferenceChip key={path} path={path} />
      ))}
    </div>
  );
}

function Scope({ holder, variable: { name, scope } }: { holder: VariableHolder; variable: Variable }) {
  const change = useScopeVariable(holder);
  return (
    <Select
      aria-label={`${name} is available to`}
      value={scope}
      options={SCOPE_OPTIONS}
      disabled={change.pending}
      onValueChange={(chosen) => change.run({ id: holder.id, name, scope: chosen })}
      className="w-40"
    />
  );
}

function DeleteVariable({ holder, variable }: { holder: VariableHolder; variable: Variable }) {
  const { name, scope } = variable;
  const remove = useRemoveVariable(holder);
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      description={`The value can't be recovered. The change takes effect on the next ${scope === 'build' ? '' : 'restart or '}deployment.`}
      label="Delete variable"
      action={remove}
      onConfirm={(close) => remove.run({ id: holder.id, name }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${name}`} title={`Delete ${name}`} onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
