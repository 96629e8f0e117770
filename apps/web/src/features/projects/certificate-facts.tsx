import type { CustomDomain } from '@nephos/contracts';
import { FileKey, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { DAY } from '../../lib/durations.ts';
import { formatDate } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';

const CertificateDialog = lateDialog({ fields: 2 }, () =>
  import('./certificate-dialog.tsx').then(({ CertificateDialog }) => CertificateDialog),
);

/** Days before its end from which a certificate is to be replaced. */
const SOON = 14;

interface CertificateFactsProps {
  projectId: string;
  domain: CustomDomain;
  /** Whether the server answers by https. */
  servesHttps: boolean;
}

/** The certificate of a domain, or that it has none, and what can be changed of it. */
export function CertificateFacts({
  projectId,
  domain: { domain, certificate },
  servesHttps,
}: CertificateFactsProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="min-w-0 text-muted text-sm">
          {certificate
            ? `Certificate by ${certificate.issuer}, ${certificate.isExpired ? 'expired' : 'valid until'} ${formatDate(certificate.endsAt)}.`
            : 'No certificate: the app answers here by HTTP only.'}
        </p>
        <div className="flex items-center gap-1">
          {servesHttps && (
            <Button
              size="sm"
              aria-label={`${certificate ? 'Replace' : 'Add'} certificate of ${domain}`}
              onClick={() => setAsking(true)}
            >
              <FileKey aria-hidden="true" />
              {certificate ? 'Replace' : 'Add'} certificate
            </Button>
          )}
          {certificate && <Removal projectId={projectId} domain={domain} />}
        </div>
      </div>
      {certificate && <Ending {...certificate} />}
      {certificate && servesHttps && (
        <HttpsOnly {...{ projectId, domain, httpsOnly: certificate.httpsOnly }} />
      )}
      {asking && <CertificateDialog {...{ projectId, domain }} onClose={() => setAsking(false)} />}
    </div>
  );
}

function Ending({ isExpired, endsAt }: NonNullable<CustomDomain['certificate']>) {
  if (isExpired) {
    return (
      <Notice tone="danger" title="The certificate has expired">
        Browsers warn visitors who come by HTTPS. Replace the certificate.
      </Notice>
    );
  }
  if (Date.parse(endsAt) - Date.now() > SOON * DAY) return null;
  return (
    <Notice tone="warning" title="The certificate expires soon">
      Replace it before it does: browsers warn visitors afterwards.
    </Notice>
  );
}

interface OfDomain {
  projectId: string;
  domain: string;
}

function Removal({ projectId, domain }: OfDomain) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.customDomains.removeCertificate.useMutation(), {
    success: 'Certificate removed',
    failure: 'Failed to remove the certificate',
    serverSpeaks: true,
    refresh: [utils.customDomains.list],
  });
  return (
    <ConfirmDialog
      title={`Remove the certificate of ${domain}?`}
      description="The app no longer answers here by HTTPS. The private key is deleted."
      label="Remove certificate"
      action={remove}
      onConfirm={(close) => remove.run({ id: projectId, domain }, close)}
      trigger={(ask) => (
        <IconButton
          label={`Remove certificate of ${domain}`}
          title="Remove certificate"
          size="sm"
          onClick={ask}
        >
          <Trash2 />
        </IconButton>
      )}
    />
  );
}

function HttpsOnly({ projectId, domain, httpsOnly }: OfDomain & { httpsOnly: boolean }) {
  const utils = trpc.useUtils();
  const change = useAction(trpc.customDomains.updateCertificate.useMutation(), {
    success: httpsOnly ? 'Redirect turned off' : 'Redirect turned on',
    failure: 'Failed to change the domain',
    serverSpeaks: true,
    refresh: [utils.customDomains.list],
  });
  return (
    <Field label="Redirect HTTP to HTTPS" className="flex-row-reverse items-center justify-end gap-3">
      <Switch
        checked={httpsOnly}
        disabled={change.pending}
        onCheckedChange={(on) => change.run({ id: projectId, domain, httpsOnly: on })}
      />
    </Field>
  );
}
