import type { DnsSecondaries, DnsSecondary } from '@nephos/contracts';
import { MAX_SECONDARIES } from '@nephos/contracts/constants';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { addressOf } from './record-names.ts';
import { TransferKey } from './transfer-key.tsx';

const AddSecondaryDialog = lateDialog({ fields: 2 }, () =>
  import('./add-secondary-dialog.tsx').then(({ AddSecondaryDialog }) => AddSecondaryDialog),
);

/** Milliseconds until one that is not up to date is looked at again. */
const NEXT_LOOK = 3000;

function isWaiting({ serial, secondaries }: DnsSecondaries): boolean {
  return secondaries.some((secondary) => secondary.serial !== serial || secondary.failingSince !== null);
}

/** Who copies a domain from here, and how far each has come. */
export function SecondariesCard({ domain }: { domain: string }) {
  const need = useNeed('build');
  const [adding, setAdding] = useState(false);
  const query = trpc.dns.secondaries.useQuery(
    { domain },
    { refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? NEXT_LOOK : false) },
  );
  const { data } = query;
  if (!data && query.error) return <LoadFailure query={query} failure="Failed to load the secondaries" />;
  const isFull = (data?.secondaries.length ?? 0) >= MAX_SECONDARIES;
  return (
    <section aria-label="Secondaries">
      <Card className="flex flex-col gap-4">
        <CardHeader
          title="Secondaries"
          description={`Name servers that copy ${domain} from here and answer for it, too.`}
          aside={
            <Button size="sm" disabled={!data || isFull} {...need} onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Add secondary
            </Button>
          }
        />
        {data ? <Copying domain={domain} copies={data} /> : <Loading />}
      </Card>
      {adding && <AddSecondaryDialog domain={domain} onClose={() => setAdding(false)} />}
    </section>
  );
}

function Loading() {
  return (
    <SkeletonGroup label="Loading the secondaries">
      <Skeleton className="h-10 rounded-lg" />
    </SkeletonGroup>
  );
}

function Copying({ domain, copies }: { domain: string; copies: DnsSecondaries }) {
  const { secondaries, serial, key } = copies;
  if (secondaries.length === 0 && !key) return <p className="text-muted text-sm">No secondaries yet</p>;
  return (
    <>
      {secondaries.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {secondaries.map((secondary) => (
            <Secondary key={secondary.id} {...{ domain, serial, secondary }} hasKey={key !== null} />
          ))}
        </ul>
      )}
      <TransferKey domain={domain} name={key?.name} />
    </>
  );
}

interface SecondaryProps {
  domain: string;
  /** The domain's. */
  serial: number;
  secondary: DnsSecondary;
  hasKey: boolean;
}

function stateOf({ serial, secondary, hasKey }: SecondaryProps): {
  tone: BadgeTone;
  label: string;
  about: string;
} {
  const { serial: held, failingSince, problem } = secondary;
  const about = held === null ? '' : `Has serial ${held}. `;
  if (held === serial && failingSince === null) {
    return { tone: 'success', label: 'Up to date', about: `Has serial ${held}` };
  }
  if (!hasKey) return { tone: 'neutral', label: 'Waiting', about: 'Needs the transfer key' };
  if (failingSince !== null) {
    return {
      tone: 'danger',
      label: 'Not answering',
      about: `${about}${problem} Since ${formatAgo(failingSince)}.`,
    };
  }
  return { tone: 'warning', label: held === null ? 'Waiting' : 'Behind', about: `${about}${problem}`.trim() };
}

function Secondary(props: SecondaryProps) {
  const { domain, secondary } = props;
  const place = addressOf({ host: secondary.address, port: secondary.port });
  const { tone, label, about } = stateOf(props);
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="wrap-anywhere text-sm">{place}</code>
          <Badge tone={tone}>{label}</Badge>
        </div>
        {about && <p className="mt-1 break-words text-muted text-sm">{about}</p>}
      </div>
      <RemoveSecondary domain={domain} id={secondary.id} place={place} />
    </li>
  );
}

function RemoveSecondary({ domain, id, place }: { domain: string; id: string; place: string }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.dns.removeSecondary.useMutation(), {
    success: 'Secondary removed',
    failure: 'Failed to remove the secondary',
    serverSpeaks: true,
    refresh: [utils.dns.secondaries],
  });
  return (
    <ConfirmDialog
      title={`Remove ${place}?`}
      description={`It can't copy ${domain} any more. If it is a name server of the domain, remove its NS record first.`}
      label="Remove secondary"
      action={remove}
      onConfirm={(close) => remove.run({ domain, id }, close)}
      trigger={(ask) => (
        <IconButton label={`Remove ${place}`} title="Remove" size="sm" onClick={ask}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
