import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { toast } from '../../ui/toast.ts';

interface SiteDomainDialogProps {
  /** The bucket. */
  id: string;
  onClose: () => void;
}

/** Asks for a domain at which a bucket's site answers; which DNS records it takes is shown once it is there. */
export function SiteDomainDialog({ id, onClose }: SiteDomainDialogProps) {
  const utils = trpc.useUtils();
  const [domain, setDomain] = useState('');
  const add = useAction(trpc.bucketSites.addDomain.useMutation(), {
    failure: 'Failed to add the domain',
    serverSpeaks: true,
    refresh: [utils.bucketSites.get],
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
      onSubmit={() => add.run({ id, domain })}
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
