import type { ManagedDatabase } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';

interface SwapDialogProps {
  database: ManagedDatabase;
  onClose: () => void;
}

/** Lets two databases change places. */
export function SwapDialog({ database: { id, name, type }, onClose }: SwapDialogProps) {
  const utils = trpc.useUtils();
  const [databases] = trpc.databases.list.useSuspenseQuery(undefined, { staleTime: 0 });
  const others = databases.filter(
    (other) =>
      other.id !== id && other.type === type && other.status === 'available' && other.activity !== null,
  );
  const [withId, setWithId] = useState(others[0]?.id ?? '');
  const other = others.find((each) => each.id === withId)?.name;
  const swap = useAction(trpc.databaseBackups.swap.useMutation(), {
    success: 'The databases are changing places',
    failure: 'Failed to swap the databases',
    refresh: [utils.databases.list, utils.databases.get, utils.databases.usage, utils.databaseBackups.get],
    leave: onClose,
  });
  return (
    <FormDialog
      title="Swap databases"
      description={`Puts another database into the place of ${name}.`}
      label="Swap"
      ready={withId !== ''}
      action={swap}
      onSubmit={() => swap.run({ id, withId })}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <Notice title="There is no other database to swap with." />
      ) : (
        <>
          <Field label="Swap with" required error={swap.fields.withId}>
            <Select
              value={withId}
              onValueChange={setWithId}
              options={others.map((each) => ({ value: each.id, label: each.name }))}
            />
          </Field>
          <Notice tone="warning" title="What changes places">
            <p>
              The contents and the backups of {name} and {other} change places. Both keep their name,
              connection string and password, so your apps find the other contents at once. Open connections
              end. To undo it, swap them again.
            </p>
          </Notice>
        </>
      )}
    </FormDialog>
  );
}
