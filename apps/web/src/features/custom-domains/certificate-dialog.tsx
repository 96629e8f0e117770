import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { type OfDomain, useDomainCalls } from './place.ts';

export interface CertificateDialogProps extends OfDomain {
  onClose: () => void;
}

/** Asks for a certificate of a domain and its key, as the files have them. */
export function CertificateDialog({ place, domain, onClose }: CertificateDialogProps) {
  const { refresh, setCertificate: call } = useDomainCalls(place);
  const [certificate, setCertificate] = useState('');
  const [privateKey, setPrivateKey] = useState('');
  const save = useAction(call.useMutation(), {
    success: 'Certificate saved',
    failure: 'Failed to save the certificate',
    serverSpeaks: true,
    refresh,
    leave: onClose,
  });
  return (
    <FormDialog
      title={`Certificate of ${domain}`}
      description="Visitors by HTTP are redirected to HTTPS from then on."
      label="Save certificate"
      wide
      ready={certificate.trim() !== '' && privateKey.trim() !== ''}
      action={save}
      onSubmit={() => save.run({ id: place.id, domain, certificate, privateKey })}
      onClose={onClose}
    >
      <PemField
        label="Certificate"
        block="CERTIFICATE"
        hint="In PEM format, with the intermediate certificates below it."
        error={save.fields.certificate}
        value={certificate}
        onChange={setCertificate}
      />
      <PemField
        label="Private key"
        block="PRIVATE KEY"
        hint="In PEM format, without a passphrase. It is stored encrypted and never shown again."
        error={save.fields.privateKey}
        value={privateKey}
        onChange={setPrivateKey}
      />
    </FormDialog>
  );
}

interface PemFieldProps {
  label: string;
  /** Of which kind its first line says that it is. */
  block: string;
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function PemField({ label, block, hint, error, value, onChange }: PemFieldProps) {
  return (
    <Field label={label} required error={error} hint={hint}>
      <Textarea
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={`-----BEGIN ${block}-----`}
        className="font-mono text-xs"
        rows={7}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
