import type { CustomDomain } from '@nephos/contracts';
import { FileKey, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { DAY } from '../../lib/durations.ts';
import { formatDate, formatInstant } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { type OfDomain, type Place, THINGS, useDomainCalls } from './place.ts';

const CertificateDialog = lateDialog({ fields: 2 }, () =>
  import('./certificate-dialog.tsx').then(({ CertificateDialog }) => CertificateDialog),
);

/** Days before its end from which a certificate is to be replaced. */
const SOON = 14;

interface CertificateFactsProps {
  place: Place;
  domain: CustomDomain;
  /** Whether the server answers by https. */
  servesHttps: boolean;
}

/** The certificate of a domain, or that it has none, and what can be changed of it. */
export function CertificateFacts({
  place,
  domain: { domain, certificate, issuance },
  servesHttps,
}: CertificateFactsProps) {
  const need = useNeed('build');
  const [asking, setAsking] = useState(false);
  const isRenewed = certificate?.managed === true && issuance !== null;
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="min-w-0 text-muted text-sm">{stateOf({ certificate, issuance }, THINGS[place.kind])}</p>
        <div className="flex items-center gap-1">
          {servesHttps && (
            <Button
              size="sm"
              aria-label={`${certificate ? 'Replace' : 'Add'} certificate of ${domain}`}
              {...need}
              onClick={() => setAsking(true)}
            >
              <FileKey aria-hidden="true" />
              {certificate ? 'Replace' : 'Add'} certificate
            </Button>
          )}
          {certificate && !isRenewed && <Removal place={place} domain={domain} />}
        </div>
      </div>
      {issuance?.error && <Failure {...{ place, domain, ...issuance }} isRenewal={certificate !== null} />}
      {certificate && <Ending {...certificate} isRenewed={isRenewed} />}
      {certificate && servesHttps && <HttpsOnly {...{ place, domain, httpsOnly: certificate.httpsOnly }} />}
      {asking && <CertificateDialog {...{ place, domain }} onClose={() => setAsking(false)} />}
    </div>
  );
}

function stateOf(
  { certificate, issuance }: Pick<CustomDomain, 'certificate' | 'issuance'>,
  thing: string,
): string {
  if (certificate) {
    const { issuer, isExpired, endsAt, managed } = certificate;
    const until = isExpired ? 'expired' : 'valid until';
    const renewal = managed && issuance ? ' Renewed automatically.' : '';
    return `Certificate by ${issuer}, ${until} ${formatDate(endsAt)}.${renewal}`;
  }
  return issuance?.error === ''
    ? 'Getting a certificate. This usually takes less than a minute.'
    : `No certificate: the ${thing} answers here by HTTP only.`;
}

interface FailureProps extends OfDomain {
  error: string;
  dueAt: string;
  /** Whether there is a certificate, which it was to take the place of. */
  isRenewal: boolean;
}

/** What the certificate authority said, and when it is asked again. */
function Failure({ place, domain, error, dueAt, isRenewal }: FailureProps) {
  const { refresh, issueCertificate } = useDomainCalls(place);
  const again = useAction(issueCertificate.useMutation(), {
    success: 'Trying again',
    failure: 'Failed to try again',
    serverSpeaks: true,
    refresh,
  });
  return (
    <Notice
      tone="warning"
      title={isRenewal ? "The certificate couldn't be renewed" : "The certificate couldn't be issued"}
      action={
        <Button
          size="sm"
          aria-label={`Try again: ${domain}`}
          {...again.button}
          onClick={() => again.run({ id: place.id, domain })}
        >
          {!again.pending && <RefreshCw aria-hidden="true" />}
          Try again
        </Button>
      }
    >
      <p>{error}</p>
      <p>Next try: {formatInstant(dueAt)}</p>
    </Notice>
  );
}

interface EndingProps extends NonNullable<CustomDomain['certificate']> {
  isRenewed: boolean;
}

function Ending({ isExpired, endsAt, isRenewed }: EndingProps) {
  if (isExpired) {
    return (
      <Notice tone="danger" title="The certificate has expired">
        Browsers warn visitors who come by HTTPS. Replace the certificate.
      </Notice>
    );
  }
  if (isRenewed || Date.parse(endsAt) - Date.now() > SOON * DAY) return null;
  return (
    <Notice tone="warning" title="The certificate expires soon">
      Replace it before it does: browsers warn visitors afterwards.
    </Notice>
  );
}

function Removal({ place, domain }: OfDomain) {
  const { refresh, removeCertificate } = useDomainCalls(place);
  const remove = useAction(removeCertificate.useMutation(), {
    success: 'Certificate removed',
    failure: 'Failed to remove the certificate',
    serverSpeaks: true,
    refresh,
  });
  return (
    <ConfirmDialog
      title={`Remove the certificate of ${domain}?`}
      description={`The ${THINGS[place.kind]} no longer answers here by HTTPS. The private key is deleted.`}
      label="Remove certificate"
      action={remove}
      onConfirm={(close) => remove.run({ id: place.id, domain }, close)}
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

function HttpsOnly({ place, domain, httpsOnly }: OfDomain & { httpsOnly: boolean }) {
  const { refresh, updateCertificate } = useDomainCalls(place);
  const change = useAction(updateCertificate.useMutation(), {
    success: httpsOnly ? 'Redirect turned off' : 'Redirect turned on',
    failure: 'Failed to change the domain',
    serverSpeaks: true,
    refresh,
  });
  return (
    <Field label="Redirect HTTP to HTTPS" className="flex-row-reverse items-center justify-end gap-3">
      <Switch
        checked={httpsOnly}
        disabled={change.pending}
        onCheckedChange={(on) => change.run({ id: place.id, domain, httpsOnly: on })}
      />
    </Field>
  );
}
