import type { DnsRecord } from '@nephos/contracts';
import { DEFAULT_RECORD_TYPE, DEFAULT_TTL } from '@nephos/contracts/constants';
import { useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { useNearLimit } from '../../lib/use-limit.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { DomainInput } from './domain-input.tsx';
import { PointDialog } from './point-dialog.tsx';
import { RecordFields, RecordTypeField } from './record-fields.tsx';
import { parseTtl, recordProblems, recordRefusal, type TypedRecord } from './record-problems.ts';
import { useRecordQueries } from './use-record-queries.ts';

const DEFAULTS: TypedRecord = {
  domain: '',
  recordType: DEFAULT_RECORD_TYPE,
  name: '@',
  value: '',
  ttl: String(DEFAULT_TTL),
};

export interface AddRecordDialogProps {
  /** The domain that the page shows; the form starts with it, otherwise with none. */
  domain: string | undefined;
  onAdded: (record: DnsRecord) => void;
  onClose: () => void;
}

/** A new record, by its value or by the app that it leads to. */
export function AddRecordDialog(props: AddRecordDialogProps) {
  const [toApp, setToApp] = useState(false);
  return toApp ? <PointDialog {...props} /> : <RecordDialog {...props} onToApp={() => setToApp(true)} />;
}

interface RecordDialogProps extends AddRecordDialogProps {
  onToApp: () => void;
}

function RecordDialog({ domain = '', onAdded, onToApp, onClose }: RecordDialogProps) {
  const draft = useDraft({ ...DEFAULTS, domain });
  const { values } = draft;
  const [tried, setTried] = useState(false);
  const creation = trpc.dns.create.useMutation();
  const create = useAction(creation, {
    success: 'DNS record created successfully',
    failure: 'Failed to create DNS record',
    refresh: useRecordQueries(),
    leave: (record) => {
      onClose();
      onAdded(record);
    },
  });
  const problems = recordProblems(values);
  const { fields, refusal } = recordRefusal(create, creation.error);
  const errors = tried ? { ...fields, ...problems } : fields;

  function submit() {
    setTried(true);
    const ttl = parseTtl(values.ttl);
    if (ttl !== undefined && Object.keys(problems).length === 0) create.run({ ...values, ttl });
  }

  return (
    <FormDialog
      title="Add Record"
      description="Adding a record claims the domain."
      label="Add"
      ready={values.domain.trim() !== '' && values.value.trim() !== ''}
      limit={useNearLimit('dnsZones')}
      action={{ ...create, refusal }}
      onSubmit={submit}
      onClose={onClose}
    >
      <DomainAndType draft={draft} errors={errors} />
      <RecordFields values={values} set={draft.set} errors={errors} />
      <Button size="sm" className="self-start" onClick={onToApp}>
        Point to an app instead
      </Button>
    </FormDialog>
  );
}

interface DomainAndTypeProps {
  draft: Draft<TypedRecord>;
  errors: FieldErrors;
}

function DomainAndType({ draft: { values, set }, errors }: DomainAndTypeProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <Field label="Domain" required error={errors.domain}>
        <DomainInput value={values.domain} onChange={(domain) => set('domain', domain)} />
      </Field>
      <RecordTypeField
        value={values.recordType}
        onChange={(recordType) => set('recordType', recordType)}
        error={errors.recordType}
      />
    </div>
  );
}
