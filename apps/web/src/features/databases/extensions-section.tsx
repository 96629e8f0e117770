import type { DatabaseExtension, ManagedDatabase } from '@nephos/contracts';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';

/** What a database of a server of its own has beside PostgreSQL itself; asked for on demand, since that wakes it. */
export function ExtensionsSection({ database: { id } }: { database: ManagedDatabase }) {
  const [isShown, setShown] = useState(false);
  const extensions = trpc.databaseExtensions.list.useQuery({ id }, { enabled: isShown });
  return (
    <Card className="min-w-0">
      <CardHeader title="Extensions" description="Types, indexes and functions that come with PostgreSQL." />
      <div className="mt-4">
        {!isShown && <Button onClick={() => setShown(true)}>Show extensions</Button>}
        {isShown && extensions.data && <ExtensionTable id={id} extensions={extensions.data} />}
        {isShown && extensions.error && (
          <LoadFailure query={extensions} failure="Failed to load the extensions" />
        )}
        {isShown && extensions.isLoading && (
          <SkeletonGroup label="Loading the extensions">
            <Skeleton className="h-40" />
          </SkeletonGroup>
        )}
      </div>
    </Card>
  );
}

function ExtensionTable({ id, extensions }: { id: string; extensions: readonly DatabaseExtension[] }) {
  const sorted = extensions.toSorted((one, other) => Number(other.isOn) - Number(one.isOn));
  return (
    <Table label="Extensions">
      <TableHead>
        <TableHeading>Name</TableHeading>
        <TableHeading>What it is for</TableHeading>
        <TableHeading>
          <span className="sr-only">Actions</span>
        </TableHeading>
      </TableHead>
      <TableBody>
        {sorted.map((extension) => (
          <TableRow key={extension.name}>
            <TableCell>
              <code>{extension.name}</code>
              {extension.isOn && (
                <p className="text-faint text-sm">
                  {extension.version}, in {extension.schema}
                </p>
              )}
            </TableCell>
            <TableCell className="text-muted">{extension.about}</TableCell>
            <TableCell className="text-right">
              {extension.isOn ? (
                <RemoveExtension id={id} name={extension.name} />
              ) : (
                <AddExtension id={id} name={extension.name} />
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function AddExtension({ id, name }: { id: string; name: string }) {
  const utils = trpc.useUtils();
  const add = useAction(trpc.databaseExtensions.add.useMutation(), {
    success: `${name} added`,
    failure: `Failed to add ${name}`,
    serverSpeaks: true,
    refresh: [utils.databaseExtensions.list],
  });
  return (
    <Button size="sm" aria-label={`Add ${name}`} {...add.button} onClick={() => add.run({ id, name })}>
      Add
    </Button>
  );
}

function RemoveExtension({ id, name }: { id: string; name: string }) {
  const utils = trpc.useUtils();
  const removal = trpc.databaseExtensions.remove.useMutation();
  const remove = useAction(removal, {
    success: `${name} removed`,
    failure: `Failed to remove ${name}`,
    serverSpeaks: true,
    refresh: [utils.databaseExtensions.list],
  });
  const isDepended = removal.error?.data?.reason === 'DEPENDED';
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={
        isDepended
          ? 'Removing it with all of that deletes columns, indexes and functions for good.'
          : 'Where something uses it, you are told before anything is removed.'
      }
      label={isDepended ? 'Remove with all of that' : 'Remove'}
      action={remove}
      onConfirm={(close) => remove.run({ id, name, cascade: isDepended }, close)}
      trigger={(open) => (
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={open}>
          Remove
        </Button>
      )}
    />
  );
}
