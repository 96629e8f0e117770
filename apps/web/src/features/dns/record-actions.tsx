import type { DnsRecord } from '@nephos/contracts';
import { Activity, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RecordFields } from './record-fields.tsx';
import { recordTitle } from './record-names.ts';
import { parseTtl, recordProblems, recordRefusal } from './record-problems.ts';
import { useAnswer, useAsk } from './use-answer.ts';
import { useRecordQueries } from './use-record-queries.ts';

/** What can be done with a record. */
export function RecordActions({ record }: { record: DnsRecord }) {
  const need = useNeed('build');
  const [editing, setEditing] = useState(false);
  const { isFetching } = useAnswer(record.id);
  const { ask } = useAsk();
  const title = recordTitle(record);
  return (
    <div className="flex items-center justify-end gap-1">
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Check ${title}`}
        pending={isFetching}
        onClick={() => ask(record.id)}
      >
        {!isFetching && <Activity aria-hidden="true" />}
        Check
      </Button>
      <IconButton label={`Edit ${title}`} title="Edit" size="sm" {...need} onClick={() => setEditing(true)}>
        <Pencil />
      </IconButton>
      <DeleteRecord record={record} />
      {editing && <EditRecord record={record} onClose={() => setEditing(false)} />}
    </div>
  );
}

interface EditRecordProps {
  record: DnsRecord;
  onClose: () => void;
}

function EditRecord({ record, onClose }: EditRecordProps) {
  const { id, domain, recordType, name, value, ttl } = record;
  const { values, set, changed } = useDraft({ domain, recordType, name, value, ttl: String(ttl) });
  const [tried, setTried] = useState(false);
  const { save, fields, refusal } = useSave(id, onClose);
  const problems = recordProblems(values);

  function submit() {
    setTried(true);
    const seconds = parseTtl(values.ttl);
    if (seconds === undefined || Object.keys(problems).length > 0) return;
    save.run({ id, name: values.name, value: values.value, ttl: seconds });
  }

  return (
    <FormDialog
      title="Edit record"
      description={
        <>
          {recordType} record in <code className="break-all">{domain}</code>
        </>
      }
      label="Save"
      ready={changed && values.value.trim() !== ''}
      action={{ ...save, refusal }}
      onSubmit={submit}
      onClose={onClose}
    >
      <RecordFields values={values} set={set} errors={tried ? { ...fields, ...problems } : fields} />
    </FormDialog>
  );
}

function useSave(id: string, leave: () => void) {
  const { ask } = useAsk();
  const change = trpc.dns.update.useMutation();
  const save = useAction(change, {
    success: 'DNS record saved',
    failure: 'Failed to save DNS record',
    refresh: useRecordQueries(),
    onDone: () => ask(id),
    leave,
  });
  return { save, ...recordRefusal(save, change.error) };
}

/** Asks, then deletes the record. */
function DeleteRecord({ record }: { record: DnsRecord }) {
  const { id, value } = record;
  const remove = useAction(trpc.dns.remove.useMutation(), {
    success: 'DNS record deleted',
    failure: 'Failed to delete DNS record',
    serverSpeaks: true,
    refresh: useRecordQueries(),
  });
  return (
    <ConfirmDialog
      title="Delete DNS record?"
      description={
        <>
          The name server stops serving this record immediately. Resolvers may cache it until its TTL expires.
          <code className="mt-3 line-clamp-3 wrap-anywhere text-fg">{`${recordTitle(record)} ${value}`}</code>
        </>
      }
      label="Delete record"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${recordTitle(record)}`} title="Delete" size="sm" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
