import type { DnsRecord } from '@nephos/contracts';
import { DEFAULT_RECORD_TYPE, DEFAULT_TTL, RECORD_TYPES } from '@nephos/contracts/constants';
import { type FormEvent, useId, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { parseTtl } from './parse-ttl.ts';
import { RecordFields } from './record-fields.tsx';
import { recordProblems, type TypedRecord } from './record-problems.ts';
import { recordRefusal } from './record-refusal.ts';

const DEFAULTS: TypedRecord = {
  domain: '',
  recordType: DEFAULT_RECORD_TYPE,
  name: '@',
  value: '',
  ttl: String(DEFAULT_TTL),
};

const TYPE_OPTIONS = RECORD_TYPES.map((value) => ({ value, label: value }));

export interface AddRecordFormProps {
  /** What the domain starts from; otherwise it is empty. */
  domain: string | undefined;
  onAdded: (record: DnsRecord) => void;
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
export function AddRecordForm({ domain = '', onAdded }: AddRecordFormProps) {
  const utils = trpc.useUtils();
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const suggestions = useId();
  const { values, set, reset } = useDraft({ ...DEFAULTS, domain });
  const [tried, setTried] = useState(false);
  const creation = trpc.dns.create.useMutation();
  const create = useAction(creation, {
    success: 'DNS record created successfully',
    failure: 'Failed to create DNS record',
    refresh: [utils.dns.list, utils.dns.zones],
    onDone: (record) => {
      reset();
      onAdded(record);
    },
  });
  const complete = values.domain.trim() !== '' && values.value.trim() !== '';
  const problems = recordProblems(values);
  const { fields, refusal } = recordRefusal(create, creation.error);
  const errors = tried ? { ...fields, ...problems } : fields;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!complete || create.pending) return;
    setTried(true);
    const ttl = parseTtl(values.ttl);
    if (ttl !== undefined && Object.keys(problems).length === 0) create.run({ ...values, ttl });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <Field label="Domain" required error={errors.domain}>
          <PlainInput
            value={values.domain}
            onChange={(event) => set('domain', event.target.value)}
            placeholder="example.com"
            list={suggestions}
            // The arrow that browsers draw is none of ours; the list opens without it.
            className="[&::-webkit-calendar-picker-indicator]:hidden!"
          />
        </Field>
        <datalist id={suggestions}>
          {zones.map((zone) => (
            <option key={zone.domain} value={zone.domain} />
          ))}
        </datalist>
        <Field label="Type" error={errors.recordType}>
          <Select
            value={values.recordType}
            onValueChange={(recordType) => set('recordType', recordType)}
            options={TYPE_OPTIONS}
          />
        </Field>
      </div>
      <RecordFields values={values} set={set} errors={errors} />
      <FormEnd label="Add" disabled={!complete} pending={create.pending} refusal={refusal} />
    </form>
  );
}
