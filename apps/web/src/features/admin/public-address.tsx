import type { InstallationSettings } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type OnSaved, setAs } from './setting.ts';

type PublicAddressProps = Pick<InstallationSettings, 'publicUrl' | 'nextPublicUrl' | 'fixed'> & OnSaved;

/** Where people reach the console, and the way to another address. */
export function PublicAddress({ publicUrl, nextPublicUrl, fixed, onSaved }: PublicAddressProps) {
  const utils = trpc.useUtils();
  const [typed, setTyped] = useState(nextPublicUrl ?? publicUrl);
  const change = useAction(trpc.admin.changeSettings.useMutation(), {
    success: 'Settings saved',
    failure: 'Failed to save the settings',
    refresh: [utils.admin.settings],
    onDone: onSaved,
  });
  const isFixed = fixed.includes('publicUrl');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!change.pending) change.run({ publicUrl: typed });
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-3">
      <Field
        label="Public address"
        error={change.fields.publicUrl}
        hint={isFixed ? setAs('PUBLIC_URL') : 'Where people reach the console. It is saved once it answers.'}
      >
        <Input
          type="url"
          value={typed}
          disabled={isFixed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {nextPublicUrl !== null && (
        <Notice tone="warning" title={`Restart the server to use ${nextPublicUrl}`}>
          Until then it is {publicUrl}. From then on everybody logs in again, passkeys of another host name
          stop working, and links and image names have the new address. If nobody can log in there, set{' '}
          <code>PUBLIC_URL</code> in the server's environment: it always wins.
        </Notice>
      )}
      {change.refusal && <Notice tone="danger" title={change.refusal} />}
      {!isFixed && (
        <Button
          type="submit"
          disabled={typed.trim() === '' || typed === (nextPublicUrl ?? publicUrl)}
          pending={change.pending}
        >
          Save
        </Button>
      )}
    </form>
  );
}
