import type { CreatedStorageKey, StorageKey } from '@nephos/contracts';
import { STORAGE_KEY_ACCESSES, STORAGE_REGION } from '@nephos/contracts/constants';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { ClientCommands } from './client-commands.tsx';
import { KEY_ACCESS } from './key-words.ts';

const ALL = 'all';

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const buckets = trpc.buckets.list.useQuery().data ?? [];
  const [made, setMade] = useState<CreatedStorageKey>();
  const { values, set } = useDraft<{ name: string; access: StorageKey['access']; bucket: string }>({
    name: '',
    access: 'write',
    bucket: ALL,
  });
  // The cache of mutations would keep the answer, the secret half included.
  const create = useAction(trpc.buckets.createKey.useMutation({ gcTime: 0 }), {
    failure: 'Failed to create the access key',
    serverSpeaks: true,
    refresh: [utils.buckets.keys],
    onDone: setMade,
  });
  const { name, access, bucket } = values;
  return (
    <FormDialog
      title="New Access Key"
      description="The secret access key is shown once."
      label="Create access key"
      ready={name !== ''}
      action={create}
      onSubmit={() => create.run({ name, access, bucketId: bucket === ALL ? null : bucket })}
      onClose={onClose}
      result={made && <Shown made={made} />}
      wide={made !== undefined}
    >
      <Field
        label="Name"
        required
        error={create.fields.name}
        hint="What it is for, such as the machine that uses it"
      >
        <Input
          value={name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="nightly backups"
          autoComplete="off"
        />
      </Field>
      <Field label="Access" error={create.fields.access}>
        <Select
          value={access}
          onValueChange={(chosen) => set('access', chosen)}
          options={STORAGE_KEY_ACCESSES.map((value) => ({ value, label: KEY_ACCESS[value] }))}
        />
      </Field>
      <Field label="Bucket" error={create.fields.bucketId}>
        <Select
          value={bucket}
          onValueChange={(chosen) => set('bucket', chosen)}
          options={[
            { value: ALL, label: 'All buckets' },
            ...buckets.map(({ id, name: label }) => ({ value: id, label })),
          ]}
        />
      </Field>
    </FormDialog>
  );
}

function Shown({ made: { id, secretAccessKey, bucket } }: { made: CreatedStorageKey }) {
  return (
    <>
      <Notice title="Copy the secret access key now. It won't be shown again." className="mb-4" />
      <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2 text-muted text-sm">
        <CopyFact term="Access key ID" value={id} label="Copy the access key ID" />
        <CopyFact term="Secret access key" value={secretAccessKey} label="Copy the secret access key" />
      </dl>
      <ClientCommands
        endpoint={window.location.origin}
        region={STORAGE_REGION}
        bucket={bucket?.name}
        keys={{ id, secret: secretAccessKey }}
      />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
