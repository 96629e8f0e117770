import type { ManagedDatabase } from '@nephos/contracts';
import { CLASS_LIMITS, MAX_STORAGE_SIZE, MIN_STORAGE_SIZE, SIZE_CLASSES } from '@nephos/contracts/constants';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';

const MB = 1024 ** 2;
const NAMES = { small: 'Small', medium: 'Medium', large: 'Large' } as const;

const CLASSES = SIZE_CLASSES.map((value) => {
  const { memory, connections } = CLASS_LIMITS[value];
  return { value, label: `${NAMES[value]}: ${formatSize(memory * MB)} memory, ${connections} connections` };
});

const READ_ONLY = 'At this size, the database becomes read-only.';
const NOT_ENFORCED = 'A label: this server does not enforce it.';

/** How much a database may hold, and what its own server is set up for. */
export function SizeSection({
  database: { id, status, storageSize, sizeClass, activity },
}: {
  database: ManagedDatabase;
}) {
  const utils = trpc.useUtils();
  const need = useNeed('build');
  const { values, set, reset, changed } = useDraft({ storageSize: String(storageSize), sizeClass });
  const hasOwnServer = activity !== null;
  const update = useAction(trpc.databases.update.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save',
    serverSpeaks: true,
    refresh: [utils.databases.get, utils.databases.list, utils.databases.usage],
    onDone: reset,
  });
  const restarts = values.sizeClass !== sizeClass;
  const wanted = {
    ...(values.storageSize !== String(storageSize) && { storageSize: Number(values.storageSize) }),
    ...(restarts && { sizeClass: values.sizeClass }),
  };
  return (
    <Card className="min-w-0">
      <CardHeader title="Size" />
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!restarts) update.run({ id, ...wanted });
        }}
      >
        <Field
          label="Storage (GB)"
          error={update.fields.storageSize}
          hint={hasOwnServer ? READ_ONLY : status === 'available' && NOT_ENFORCED}
        >
          <Input
            type="number"
            inputMode="numeric"
            min={MIN_STORAGE_SIZE}
            max={MAX_STORAGE_SIZE}
            value={values.storageSize}
            onChange={(event) => set('storageSize', event.target.value)}
          />
        </Field>
        {hasOwnServer && (
          <Field
            label="Class"
            error={update.fields.sizeClass}
            hint="What PostgreSQL is set up for; the memory of its sessions is not capped."
          >
            <Select
              value={values.sizeClass}
              onValueChange={(chosen) => set('sizeClass', chosen)}
              options={CLASSES}
            />
          </Field>
        )}
        {restarts ? (
          <ConfirmDialog
            title="Restart the server?"
            description="Another class restarts the server: open connections end, and new ones wait a few seconds. Nothing is lost."
            label="Restart"
            action={update}
            onConfirm={(close) => update.run({ id, ...wanted }, close)}
            trigger={(open) => (
              <Button type="button" className="self-start" {...need} onClick={open}>
                Save
              </Button>
            )}
          />
        ) : (
          <Button type="submit" className="self-start" {...need} disabled={!changed} pending={update.pending}>
            Save
          </Button>
        )}
      </form>
    </Card>
  );
}
