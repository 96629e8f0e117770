import { NAME_SERVER_PORT } from '@nephos/contracts/constants';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

export interface AddSecondaryDialogProps {
  domain: string;
  onClose: () => void;
}

/** Asks from where a domain may be copied. */
export function AddSecondaryDialog({ domain, onClose }: AddSecondaryDialogProps) {
  const utils = trpc.useUtils();
  const [address, setAddress] = useState('');
  const [port, setPort] = useState(String(NAME_SERVER_PORT));
  const add = useAction(trpc.dns.addSecondary.useMutation(), {
    success: 'Secondary added',
    failure: 'Failed to add the secondary',
    serverSpeaks: true,
    refresh: [utils.dns.secondaries],
    leave: onClose,
  });
  return (
    <FormDialog
      title="Add secondary"
      description={`A name server that may copy ${domain} and is told of changes.`}
      label="Add secondary"
      ready={address.trim() !== ''}
      action={add}
      onSubmit={() => add.run({ domain, address, port: Number(port) })}
      onClose={onClose}
    >
      <Field label="IP address" required error={add.fields.address}>
        <Input
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          placeholder="203.0.113.53"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Field label="Port" error={add.fields.port}>
        <Input value={port} onChange={(event) => setPort(event.target.value)} inputMode="numeric" />
      </Field>
    </FormDialog>
  );
}
