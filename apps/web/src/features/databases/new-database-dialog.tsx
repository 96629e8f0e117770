import type { DatabaseEngineState } from '@nephos/contracts';
import {
  DEFAULT_DATABASE_REGION,
  DEFAULT_DATABASE_TYPE,
  DEFAULT_STORAGE_SIZE,
} from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type DatabaseDraft, DatabaseFields } from './database-fields.tsx';

export interface NewDatabaseDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NewDatabaseDialog({ open, onOpenChange }: NewDatabaseDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="New Database"
        description="It is made at once, with a user and a password of its own."
      >
        <NewDatabaseForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** The default type, or else the first that this server can make. */
function firstType(engines: readonly DatabaseEngineState[]) {
  const possible = engines.filter(({ available }) => available).map(({ type }) => type);
  return possible.includes(DEFAULT_DATABASE_TYPE)
    ? DEFAULT_DATABASE_TYPE
    : (possible[0] ?? DEFAULT_DATABASE_TYPE);
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function NewDatabaseForm({ onDone }: { onDone: () => void }) {
  const utils = trpc.useUtils();
  // Asked again at each opening: a database server may have come or gone since.
  const [engines] = trpc.databases.engines.useSuspenseQuery(undefined, { staleTime: 0 });
  const draft = useDraft<DatabaseDraft>({
    name: '',
    type: firstType(engines),
    region: DEFAULT_DATABASE_REGION,
    storageSize: String(DEFAULT_STORAGE_SIZE),
  });
  const create = useAction(trpc.databases.create.useMutation(), {
    success: 'Database created successfully',
    failure: 'Failed to create database',
    refresh: [utils.databases.list],
    onDone: () => {
      draft.reset();
      onDone();
    },
  });
  const { name, type, storageSize } = draft.values;
  const possible = engines.some((engine) => engine.type === type && engine.available);
  const ready = name.trim() !== '' && possible;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !create.pending) create.run({ ...draft.values, storageSize: Number(storageSize) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <DatabaseFields draft={draft} engines={engines} errors={create.fields} />
      {create.refusal && <Notice tone="danger" title={create.refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={!ready} pending={create.pending}>
          Create
        </Button>
      </DialogFooter>
    </form>
  );
}
