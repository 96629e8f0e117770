import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { toast } from '../../ui/toast.ts';
import { type Place, useDomainCalls } from './place.ts';

export interface DomainDialogProps {
  place: Place;
  onClose: () => void;
}

/** Asks for a domain to add; which DNS records it takes is shown once it is there. */
export function DomainDialog({ place, onClose }: DomainDialogProps) {
  const { refresh, add: call } = useDomainCalls(place);
  const [domain, setDomain] = useState('');
  const add = useAction(call.useMutation(), {
    failure: 'Failed to add the domain',
    serverSpeaks: true,
    refresh,
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
      onSubmit={() => add.run({ id: place.id, domain })}
      onClose={onClose}
    >
      <Field label="Domain" required error={add.fields.domain}>
        <PlainInput
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          placeholder="www.example.com"
          inputMode="url"
        />
      </Field>
    </FormDialog>
  );
}
