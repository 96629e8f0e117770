import type { DnsRecord } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { parseTtl } from './parse-ttl.ts';
import { RecordFields } from './record-fields.tsx';
import { recordProblems } from './record-problems.ts';
import { recordRefusal } from './record-refusal.ts';
import { useAsk } from './use-answer.ts';

export interface EditRecordDialogProps {
  record: DnsRecord;
  onClose: () => void;
}

export function EditRecordDialog({ record, onClose }: EditRecordDialogProps) {
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title="Edit Record"
        description={
          <>
            {record.recordType} record in <code className="break-all">{record.domain}</code>
          </>
        }
      >
        <EditRecordForm record={record} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening starts from the record as it is. */
function EditRecordForm({ record, onDone }: { record: DnsRecord; onDone: () => void }) {
  const { id, domain, recordType, name, value, ttl } = record;
  const utils = trpc.useUtils();
  const { ask } = useAsk();
  const { values, set, changed } = useDraft({ domain, recordType, name, value, ttl: String(ttl) });
  const [tried, setTried] = useState(false);
  const change = trpc.dns.update.useMutation();
  const save = useAction(change, {
    success: 'DNS record saved',
    failure: 'Failed to save DNS record',
    refresh: [utils.dns.list, utils.dns.zones],
    onDone: () => {
      onDone();
      ask(id);
    },
  });
  const complete = values.value.trim() !== '';
  const problems = recordProblems(values);
  const { fields, refusal } = recordRefusal(save, change.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!complete || !changed || save.pending) return;
    setTried(true);
    const seconds = parseTtl(values.ttl);
    if (seconds === undefined || Object.keys(problems).length > 0) return;
    save.run({ id, name: values.name, value: values.value, ttl: seconds });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <RecordFields values={values} set={set} errors={tried ? { ...fields, ...problems } : fields} />
      <FormEnd label="Save" disabled={!complete || !changed} pending={save.pending} refusal={refusal} />
    </form>
  );
}
