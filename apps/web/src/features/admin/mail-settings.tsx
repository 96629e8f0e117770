import type { InstallationSettings } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type OnSaved, setAs } from './setting.ts';
import { TestMail } from './test-mail.tsx';

type MailSettingsProps = Pick<InstallationSettings, 'mail' | 'fixed'> & OnSaved;

/** The server that sends mail, and the way to another one. */
export function MailSettings({ mail, fixed, onSaved }: MailSettingsProps) {
  return (
    <section aria-label="Mail" className="space-y-3">
      <div>
        <h3 className="font-medium">Mail</h3>
        <p className="text-muted text-sm">
          {mail
            ? `Sent by ${mail.host} from ${mail.from}.`
            : 'Off. Links for invitations and passwords are shown for you to hand on.'}
          {fixed.includes('mail') && ` ${setAs('SMTP_URL')}`}
        </p>
      </div>
      {!fixed.includes('mail') && <MailForm mail={mail} onSaved={onSaved} />}
      {mail && <TestMail />}
    </section>
  );
}

function MailForm({ mail, onSaved }: Pick<MailSettingsProps, 'mail' | 'onSaved'>) {
  const utils = trpc.useUtils();
  const [smtpUrl, setSmtpUrl] = useState('');
  const [from, setFrom] = useState(mail?.from ?? '');
  const change = useAction(trpc.admin.changeSettings.useMutation(), {
    success: 'Settings saved',
    failure: 'Failed to save the settings',
    refresh: [utils.admin.settings, utils.admin.engines],
    onDone: onSaved,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!change.pending) change.run({ mail: { smtpUrl, from } });
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-3">
      <Field
        label="Mail server"
        error={change.fields['mail.smtpUrl']}
        hint="Like smtp://name:password@smtp.example.com:587. It is not shown again."
      >
        <Input
          value={smtpUrl}
          onChange={(event) => setSmtpUrl(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Sender" error={change.fields['mail.from']} hint="Like Nephos <nephos@example.com>.">
        <Input value={from} onChange={(event) => setFrom(event.target.value)} autoComplete="off" />
      </Field>
      {change.refusal && <Notice tone="danger" title={change.refusal} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={smtpUrl.trim() === ''} pending={change.pending}>
          Save
        </Button>
        {mail && (
          <Button disabled={change.pending} onClick={() => change.run({ mail: null })}>
            Turn mail off
          </Button>
        )}
      </div>
    </form>
  );
}
