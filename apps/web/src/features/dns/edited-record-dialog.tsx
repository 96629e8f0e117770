import { readRecordName, readValue } from '@nephos/contracts';
import { DEFAULT_RECORD_TYPE, DEFAULT_TTL } from '@nephos/contracts/constants';
import { useState } from 'react';
import { useDraft } from '../../lib/use-draft.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RecordFields, RecordTypeField } from './record-fields.tsx';
import { parseTtl, recordProblems, type TypedRecord } from './record-problems.ts';
import type { RecordWords } from './zone-edits.ts';

const DEFAULTS: Omit<TypedRecord, 'domain'> = {
  recordType: DEFAULT_RECORD_TYPE,
  name: '@',
  value: '',
  ttl: String(DEFAULT_TTL),
};

export interface EditedRecordDialogProps {
  domain: string;
  /** As it is so far; undefined for a new one. */
  record: RecordWords | undefined;
  /** Told of the record in its canonical form. Nothing is saved yet. */
  onEdited: (record: RecordWords) => void;
  onClose: () => void;
}

/** A record that is edited along with others, and saved with them. */
export function EditedRecordDialog({ domain, record, onEdited, onClose }: EditedRecordDialogProps) {
  const { values, set, changed } = useDraft<TypedRecord>({
    ...(record ? { ...record, ttl: String(record.ttl) } : DEFAULTS),
    domain,
  });
  const [tried, setTried] = useState(false);
  const problems = recordProblems(values);
  const errors = tried ? problems : {};

  function submit() {
    setTried(true);
    const { recordType } = values;
    const name = readRecordName(values.name.trim(), domain);
    const value = readValue(recordType, values.value.trim());
    const ttl = parseTtl(values.ttl);
    if (!name.ok || !value.ok || ttl === undefined) return;
    onEdited({ recordType, name: name.text, value: value.text, ttl });
    onClose();
  }

  return (
    <FormDialog
      title={record ? 'Edit record' : 'Add record'}
      description={`It is saved with your other edits of ${domain}.`}
      label={record ? 'Change' : 'Add'}
      ready={values.value.trim() !== '' && (changed || !record)}
      action={{ pending: false, refusal: undefined }}
      onSubmit={submit}
      onClose={onClose}
    >
      {!record && (
        <RecordTypeField value={values.recordType} onChange={(recordType) => set('recordType', recordType)} />
      )}
      <RecordFields values={values} set={set} errors={errors} />
    </FormDialog>
  );
}
