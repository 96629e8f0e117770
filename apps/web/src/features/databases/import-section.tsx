import type { DatabaseImport, ManagedDatabase } from '@nephos/contracts';
import { useState } from 'react';
import { formatAgo, formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';

/** Milliseconds after which it is asked again what became of a running import. */
const ASKED_EVERY = 2000;
const MOST_FILES = 100;
const ADDRESS = 'address';

/** Dumps that are brought into a database, and what became of the last one. */
export function ImportSection({ database: { id, work } }: { database: ManagedDatabase }) {
  const [isOpen, setOpen] = useState(false);
  const imports = trpc.databaseImports.list.useQuery(
    { id },
    { refetchInterval: ({ state }) => state.data?.[0]?.status === 'running' && ASKED_EVERY },
  );
  const last = imports.data?.[0];
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Import"
        description="A dump of pg_dump: plain SQL or the custom format. If anything in it fails, nothing of it stays."
      />
      {last && <LastImport last={last} />}
      <div className="mt-4">
        <Button disabled={work !== null} onClick={() => setOpen(true)}>
          Import a dump
        </Button>
      </div>
      {isOpen && <ImportDialog id={id} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function LastImport({
  last: { name, status, error, size, statements, skipped, endedAt },
}: {
  last: DatabaseImport;
}) {
  if (status === 'failed') {
    return (
      <Notice tone="danger" className="mt-4" title={`${name} could not be imported`}>
        <p className="break-words">{error}</p>
        <p>Nothing of it is in the database.</p>
      </Notice>
    );
  }
  if (status !== 'done') {
    return (
      <p className="mt-4 text-muted">
        {status === 'running'
          ? `Importing ${name}…`
          : `The import of ${name} was cancelled; nothing of it stays.`}
      </p>
    );
  }
  return (
    <Notice className="mt-4" title={`${name} imported`}>
      <p>
        {statements.toLocaleString('en')} statements of {formatSize(size)}, {endedAt && formatAgo(endedAt)}.
      </p>
      {skipped.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {skipped.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function ImportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const utils = trpc.useUtils();
  const files = trpc.storage.list.useQuery({ limit: MOST_FILES });
  const { values, set } = useDraft({ source: ADDRESS, url: '' });
  const isAddress = values.source === ADDRESS;
  const start = useAction(trpc.databaseImports.start.useMutation(), {
    success: 'Import started',
    failure: 'Failed to start the import',
    serverSpeaks: true,
    refresh: [utils.databaseImports.list, utils.databases.get],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Import a dump"
      description="It runs as this database's own user, in the background. Tables that it makes must not be there yet."
      label="Import"
      ready={!isAddress || values.url !== ''}
      action={start}
      onSubmit={() => start.run({ id, ...(isAddress ? { url: values.url } : { fileId: values.source }) })}
      onClose={onClose}
    >
      <Field label="Dump" error={start.fields.fileId} hint="Files are those of your storage, newest first.">
        <Select
          value={values.source}
          onValueChange={(source) => set('source', source)}
          options={[
            { value: ADDRESS, label: 'From an address' },
            ...(files.data ?? []).map((file) => ({
              value: file.id,
              label: `${file.fileName} (${formatSize(file.fileSize)})`,
            })),
          ]}
        />
      </Field>
      {isAddress && (
        <Field label="Address" required error={start.fields.url} hint="https, open to the public internet">
          <Input
            type="url"
            value={values.url}
            onChange={(event) => set('url', event.target.value)}
            placeholder="https://example.com/dump.sql.gz"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
    </FormDialog>
  );
}
