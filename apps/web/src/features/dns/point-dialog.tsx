import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { AddRecordDialogProps } from './add-record-dialog.tsx';
import { useRecordQueries } from './use-record-queries.ts';

/** Has a name lead to an app, with records that follow the app's address. */
export function PointDialog({ domain = '', onAdded, onClose }: AddRecordDialogProps) {
  const { customDomains } = trpc.useUtils();
  const { data: projects } = trpc.projects.list.useQuery();
  const { values, set } = useDraft({ id: '', name: domain });
  const point = useAction(trpc.customDomains.point.useMutation(), {
    success: 'DNS records set',
    failure: 'Failed to set the DNS records',
    refresh: [...useRecordQueries(), customDomains.list],
    leave: ([record]) => {
      onClose();
      if (record) onAdded(record);
    },
  });
  return (
    <FormDialog
      title="Point to an app"
      description="The records are set for you, and follow the app's address."
      label="Set records"
      ready={values.name.trim() !== '' && values.id !== ''}
      action={point}
      onSubmit={() => point.run(values)}
      onClose={onClose}
    >
      <Field
        label="Full name"
        required
        error={point.fields.name}
        hint="A name in a domain that you have here. Its A, AAAA, CNAME and ALIAS records are replaced."
      >
        <PlainInput
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="www.example.com"
        />
      </Field>
      <Field label="App" required error={point.fields.id} hint={projects?.length === 0 && 'No projects yet'}>
        <Select
          value={values.id}
          onValueChange={(id) => set('id', id)}
          options={(projects ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
    </FormDialog>
  );
}
