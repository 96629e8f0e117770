import type { OwnCertificate } from '@nephos/contracts';
import { RefreshCw } from 'lucide-react';
import { formatDate, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** The certificates of the console and of apps, with what keeps one from being renewed. */
export function OwnCertificates({ certificates }: { certificates: readonly OwnCertificate[] }) {
  return (
    <div className="basis-full">
      <p className="text-faint text-sm">Certificates</p>
      <ul aria-label="Certificates" className="mt-1.5 divide-y divide-line border-line border-t text-sm">
        {certificates.map((certificate) => (
          <Row key={certificate.name} {...certificate} />
        ))}
      </ul>
    </div>
  );
}

function Row({ name, endsAt, error, dueAt }: OwnCertificate) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0">
        <p className="break-all font-medium">{name}</p>
        <p className="text-muted">{stateOf({ endsAt, error })}</p>
        {error && (
          <>
            <p className="break-words text-warning">{error}</p>
            <p className="text-muted">Next try: {formatInstant(dueAt)}</p>
          </>
        )}
      </div>
      {error && <TryAgain name={name} />}
    </li>
  );
}

function stateOf({ endsAt, error }: Pick<OwnCertificate, 'endsAt' | 'error'>): string {
  if (endsAt === null) return error ? 'No certificate' : 'Getting a certificate';
  return `${Date.parse(endsAt) > Date.now() ? 'Valid until' : 'Expired'} ${formatDate(endsAt)}`;
}

function TryAgain({ name }: { name: string }) {
  const utils = trpc.useUtils();
  const again = useAction(trpc.admin.issueCertificate.useMutation(), {
    success: 'Trying again',
    failure: 'Failed to try again',
    serverSpeaks: true,
    refresh: [utils.admin.engines],
  });
  return (
    <Button
      size="sm"
      aria-label={`Try again: ${name}`}
      pending={again.pending}
      onClick={() => again.run({ name })}
    >
      {!again.pending && <RefreshCw aria-hidden="true" />}
      Try again
    </Button>
  );
}
