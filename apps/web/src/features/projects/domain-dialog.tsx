import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { toast } from '../../ui/toast.ts';

export interface DomainDialogProps {
  projectId: string;
  onClose: () => void;
}

/** Asks for a domain to add; which DNS records it takes is shown once it is there. */
export function DomainDialog({ projectId, onClose }: DomainDialogProps) {
  const utils = trpc.useUtils();
  const [domain, setDomain] = useState('');
  const add = useAction(trpc.customDomains.add.useMutation(), {
    failure: 'Failed to add the domain',
    serverSpeaks: true,
    refresh: [utils.customDomains.list],
    onDone: ({ status }) =>
      toast({ title: status === 'active' ? 'Domain added' : 'Domain added. Set its DNS records next.' }),
    leave: onClose,
  });
  return (
    <FormDialog
      title="Add domain"
      description="You need access to the domain's DNS records."
      label="Add domain"
      ready={domain.trim() !== ''}
      action={add}
      onSubmit={() => add.run({ id: projectId, domain })}
      onClose={onClose}
    >
      <Field label="Domain" required error={add.fields.domain}>
        <Input
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          placeholder="www.example.com"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
