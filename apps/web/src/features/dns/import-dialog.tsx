import type { Inputs } from '@nephos/contracts';
import { MAX_ZONE_FILE } from '@nephos/contracts/constants';
import { FileUp } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { toast } from '../../ui/toast.ts';
import { DomainInput } from './domain-input.tsx';
import { changesOf, ImportPreview } from './import-preview.tsx';

type Mode = NonNullable<Inputs['dns']['planImport']['mode']>;

const MODES = [
  { value: 'merge', label: 'Add to the existing records' },
  { value: 'replace', label: 'Replace all existing records' },
] as const satisfies readonly { value: Mode; label: string }[];

export interface ImportDialogProps {
  /** The domain that the page shows; the form starts with it, otherwise with none. */
  domain: string | undefined;
  onClose: () => void;
}

/** Takes a zone file, shows what it would change, and then changes that. */
export function ImportDialog({ domain = '', onClose }: ImportDialogProps) {
  const { values, set } = useDraft<{ domain: string; file: string; mode: Mode }>({
    domain,
    file: '',
    mode: 'merge',
  });
  const { look, apply, plan } = useImport(onClose);
  const action = plan ? apply : look;
  const changes = plan && changesOf(plan);

  /** What was planned says nothing of another file. */
  function change<K extends keyof typeof values>(field: K, value: (typeof values)[K]) {
    look.reset();
    apply.reset();
    set(field, value);
  }

  return (
    <FormDialog
      wide
      title="Import a zone file"
      description="You'll see what changes before anything is saved."
      label={changes === undefined ? 'Preview' : `Import ${changes} ${changes === 1 ? 'change' : 'changes'}`}
      ready={values.domain.trim() !== '' && values.file.trim() !== '' && changes !== 0}
      action={action}
      onSubmit={() => (plan ? apply.run({ ...values, serial: plan.serial }) : look.run(values))}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Domain" required error={action.fields.domain}>
          <DomainInput value={values.domain} onChange={(value) => change('domain', value)} />
        </Field>
        <Field label="Mode">
          <Select value={values.mode} onValueChange={(mode) => change('mode', mode)} options={MODES} />
        </Field>
      </div>
      <Field
        label="Zone file"
        required
        error={action.fields.file}
        hint="Paste it, or choose a file. SOA records and name servers of the domain itself are left out."
      >
        <Textarea
          value={values.file}
          onChange={(event) => change('file', event.target.value)}
          rows={8}
          spellCheck={false}
          placeholder={'www 3600 IN A 203.0.113.10\n@ 3600 IN MX 10 mail'}
          className="whitespace-pre font-mono text-sm"
        />
      </Field>
      <ChosenFile onText={(text) => change('file', text)} />
      {plan && <ImportPreview plan={plan} />}
    </FormDialog>
  );
}

/** The two steps of an import, and what the first one found. */
function useImport(leave: () => void) {
  const utils = trpc.useUtils();
  const planning = trpc.dns.planImport.useMutation();
  const look: Action<Inputs['dns']['planImport']> = useAction(planning, {
    failure: 'Failed to read the zone file',
  });
  const apply: Action<Inputs['dns']['importZone']> = useAction(trpc.dns.importZone.useMutation(), {
    success: 'Zone file imported',
    failure: 'Failed to import the zone file',
    refresh: [utils.dns.list, utils.dns.zones],
    leave,
  });
  return { look, apply, plan: planning.data };
}

/** Reads a file of this machine into the form. */
function ChosenFile({ onText }: { onText: (text: string) => void }) {
  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    // Choosing the same file again, once it has changed, has to be a change too.
    const text = file && file.size <= MAX_ZONE_FILE ? await file.text() : undefined;
    target.value = '';
    if (text !== undefined) onText(text);
    else if (file) {
      const description = 'A zone file can have at most 1 MB.';
      toast({ title: 'File too large', description, variant: 'destructive' });
    }
  }
  return (
    <label
      className={classNames(
        buttonStyles({ size: 'sm' }),
        'relative self-start has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-ring',
      )}
    >
      <FileUp aria-hidden="true" />
      Choose a file
      <input
        type="file"
        onChange={(event) => void choose(event)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </label>
  );
}
