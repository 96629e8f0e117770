import type { DatabasePast, DatabaseProof } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { Spinner } from '../../ui/spinner.tsx';

/** From when to when something can be restored, what that takes, and whether it was tried. */
export function PastFacts({ past }: { past: DatabasePast }) {
  const { kind, from, until, size, backups, lastProof, proving } = past;
  const last = backups.find(({ status }) => status === 'done');
  return (
    <dl className="mt-4 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      {kind === 'moment' && (
        <Fact name="Any moment from">
          {from && until ? (
            <>
              <Instant of={from} /> <span className="text-muted">to</span> <Instant of={until} />
            </>
          ) : (
            'Nothing before the first backup'
          )}
        </Fact>
      )}
      <Fact name="Last backup">{last?.endedAt ? <Ago of={last.endedAt} /> : 'None yet'}</Fact>
      <Fact name="Takes">{formatSize(size)}</Fact>
      <Fact name="Last proved">
        {proving && (
          <span className="flex items-center gap-2">
            <Spinner />
            Restoring the latest backup on trial
          </span>
        )}
        {!proving && (lastProof ? <Proof proof={lastProof} /> : 'Not yet')}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words max-sm:mb-1">{children}</dd>
    </>
  );
}

/** What a trial restore found; a failure in red, with its reason. */
export function Proof({ proof: { at, succeeded, detail } }: { proof: DatabaseProof }) {
  return (
    <>
      <Ago of={at} />
      {!succeeded && <span className="font-medium text-danger"> · Failed</span>}
      <span className={succeeded ? 'block text-muted' : 'block text-danger'}>{detail}</span>
    </>
  );
}

export function Ago({ of }: { of: string }) {
  return (
    <time dateTime={of} title={formatInstant(of)}>
      {formatAgo(of)}
    </time>
  );
}

function Instant({ of }: { of: string }) {
  return <time dateTime={of}>{formatInstant(of)}</time>;
}
