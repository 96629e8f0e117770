import type { AlertChannel, AlertDelivery } from '@nephos/contracts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const STATES: Record<AlertDelivery['state'], { label: string; tone: BadgeTone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  held: { label: 'Quiet hours', tone: 'neutral' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
};

export interface DeliveriesDialogProps {
  channel: AlertChannel;
  onClose: () => void;
}

/** What a channel was sent, and what it said to that. */
export function DeliveriesDialog({ channel, onClose }: DeliveriesDialogProps) {
  const list = trpc.alertChannels.deliveries.useQuery({ id: channel.id }, { staleTime: 0 });
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={`Deliveries to ${channel.name}`}
        description="Up to 100 from the last 30 days."
        wide
      >
        {list.data ? (
          <DeliveryList deliveries={list.data} />
        ) : list.error ? (
          <LoadFailure query={list} failure="The deliveries couldn't be loaded." />
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </DialogContent>
    </Dialog>
  );
}

function DeliveryList({ deliveries }: { deliveries: readonly AlertDelivery[] }) {
  if (deliveries.length === 0) {
    return <p className="py-6 text-center text-muted">Nothing was sent yet. Send a test to try it.</p>;
  }
  return (
    <ul aria-label="Deliveries" className="divide-y divide-line">
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryRow({ delivery }: { delivery: AlertDelivery }) {
  const { id, title, state, tries, status, answer, problem, createdAt } = delivery;
  const utils = trpc.useUtils();
  const repeat = useAction(trpc.alertChannels.repeat.useMutation(), {
    failure: 'Failed to send it again',
    serverSpeaks: true,
    refresh: [utils.alertChannels.deliveries, utils.alertChannels.list],
  });
  const { label, tone } = STATES[state];
  const facts = [status !== null && `HTTP ${status}`, tries > 1 && `${tries} tries`].filter(Boolean);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{title}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-0.5 text-muted text-sm">
          <time dateTime={createdAt} title={formatInstant(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {facts.map((fact) => ` · ${fact}`)}
        </p>
        {problem && <p className="break-words text-danger text-sm">{problem}</p>}
        {answer && (
          <details className="mt-1">
            <summary className="w-fit cursor-default rounded-sm text-muted text-sm hover:text-fg">
              Answer
            </summary>
            <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-md bg-sunken p-3 font-mono text-sm">
              {answer}
            </pre>
          </details>
        )}
      </div>
      {(state === 'delivered' || state === 'failed') && (
        <Button
          size="sm"
          aria-label={`Send again: ${title}`}
          {...repeat.button}
          onClick={() => repeat.run({ id })}
        >
          Send again
        </Button>
      )}
    </li>
  );
}
