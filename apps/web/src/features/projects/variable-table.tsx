import type { Variable } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';

export interface VariableTableProps {
  projectId: string;
  variables: readonly Variable[];
}

export function VariableTable({ projectId, variables }: VariableTableProps) {
  const [leaving, setLeaving] = useState<string>();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.projects.removeVariable.useMutation(), {
    success: 'Variable deleted',
    failure: 'Failed to delete the variable',
    serverSpeaks: true,
    refresh: [utils.projects.variables],
    onDone: () => setLeaving(undefined),
  });
  return (
    <>
      <Table label="Environment variables">
        <TableHead>
          <TableHeading>Name</TableHeading>
          <TableHeading className="max-sm:hidden">Value</TableHeading>
          <TableHeading>Changed</TableHeading>
          <TableHeading>
            <span className="sr-only">Actions</span>
          </TableHeading>
        </TableHead>
        <TableBody>
          {variables.map(({ name, updatedAt }) => (
            <TableRow key={name}>
              <TableCell className="font-mono text-sm">{name}</TableCell>
              <TableCell className="text-faint max-sm:hidden">
                <span aria-hidden="true">••••••••</span>
                <span className="sr-only">Hidden</span>
              </TableCell>
              <TableCell className="whitespace-nowrap text-muted">
                <time dateTime={updatedAt} title={formatInstant(updatedAt)}>
                  {formatAgo(updatedAt)}
                </time>
              </TableCell>
              <TableCell className="text-right">
                <IconButton
                  label={`Delete ${name}`}
                  title={`Delete ${name}`}
                  onClick={() => setLeaving(name)}
                >
                  <Trash2 />
                </IconButton>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {leaving !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={() => setLeaving(undefined)}
          title="Delete Variable?"
          description="Its value cannot be recovered. The next deployment runs without it."
          name={leaving}
          confirmLabel="Delete variable"
          onConfirm={() => remove.run({ id: projectId, name: leaving })}
          pending={remove.pending}
          refusal={remove.refusal}
        />
      )}
    </>
  );
}
