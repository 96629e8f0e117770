import type { RecoveryCodes, TotpSetup } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { QrCode } from './qr-code.tsx';
import { CreatedRecoveryCodes } from './recovery-codes-dialog.tsx';

/** Hands the secret to an authenticator app, and has it confirmed by a code. */
export function TotpDialog({ setup, onClose }: { setup: TotpSetup; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [created, setCreated] = useState<RecoveryCodes>();
  const confirm = useAction(trpc.auth.confirmTotp.useMutation(), {
    failure: 'Failed to turn on the authenticator app',
    serverSpeaks: true,
    onDone: setCreated,
  });
  return (
    <FormDialog
      title={created ? 'Authenticator app is on' : 'Set up authenticator app'}
      description={!created && 'Scan the code with an app like Aegis, Google Authenticator or 1Password.'}
      label="Turn on"
      ready={code.trim() !== ''}
      action={confirm}
      onSubmit={() => confirm.run({ code })}
      onClose={onClose}
      result={created && <CreatedRecoveryCodes {...created} onClose={onClose} />}
    >
      <QrCode text={setup.address} label="QR code for your authenticator app" />
      <CodeBlock code={setup.secret} label="key to type instead" wrap />
      <Field label="Code" required error={confirm.fields.code} hint="The six digits that the app shows.">
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
