import type { DnsRecord } from '@nephos/contracts';
import { Activity, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DeleteRecord } from './delete-record.tsx';
import { EditRecordDialog } from './edit-record-dialog.tsx';
import { recordTitle } from './record-title.ts';
import { useAnswer, useAsk } from './use-answer.ts';

/** What can be done with a record. */
export function RecordActions({ record }: { record: DnsRecord }) {
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const { isFetching } = useAnswer(record.id);
  const { ask } = useAsk();
  const title = recordTitle(record);

  function close() {
    setDialog(undefined);
  }

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
      <IconButton label={`Edit ${title}`} title="Edit" size="sm" onClick={() => setDialog('edit')}>
        <Pencil />
      </IconButton>
      <IconButton label={`Delete ${title}`} title="Delete" size="sm" onClick={() => setDialog('delete')}>
        <Trash2 />
      </IconButton>
      {dialog === 'edit' && <EditRecordDialog record={record} onClose={close} />}
      {dialog === 'delete' && <DeleteRecord record={record} onClose={close} />}
    </div>
  );
}
