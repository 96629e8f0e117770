import type { DnsChange } from '@nephos/contracts';
import { formatInstant } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ofDomain } from './dns-search.ts';
import { useRecordQueries } from './use-record-queries.ts';

export interface HistoryDialogProps {
  /** Only its changes; undefined: those of all domains. */
  domain: string | undefined;
  onClose: () => void;
}

/** Who changed which records, newest first, and the way back. */
export function HistoryDialog({ domain, onClose }: HistoryDialogProps) {
  const list = trpc.dns.changes.useInfiniteQuery(ofDomain(FIRST_PAGE, domain), KEYSET_PAGES);
  const changes = list.data?.pages.flat();
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent wide title="History" description={domain ?? 'Changes of all your domains'}>
        {list.error && !changes && <Notice tone="danger" title="Couldn't load the history." />}
        {list.isPending && <Spinner className="size-5 self-center text-muted" />}
        {changes?.length === 0 && <p className="text-muted">No changes yet</p>}
        <ul aria-label="Changes" className="flex flex-col gap-5">
          {changes?.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </ul>
        <MorePages {...nextPages(list, 'changes')} />
      </DialogContent>
    </Dialog>
  );
}

const KINDS: Record<DnsChange['kind'], string> = {
  edit: 'Edited',
  import: 'Imported',
  revert: 'Reverted',
  follow: 'Updated',
};

/** By whom, or why nobody was needed. */
function causeOf({ kind, by }: DnsChange): string {
  if (kind === 'follow') return "because an app's address changed";
  return `by ${by ?? 'a deleted account'}`;
}

function Change({ change }: { change: DnsChange }) {
  const { domain, kind, createdAt, added, addedCount, removed, removedCount } = change;
  const more = addedCount + removedCount - added.length - removed.length;
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 break-words text-muted text-sm">
          <span className="font-medium text-fg">{`${KINDS[kind]} ${domain}`}</span>
          {` ${formatInstant(createdAt)}, ${causeOf(change)}`}
        </p>
        <RevertChange change={change} />
      </div>
      <pre className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere rounded-lg bg-sunken px-3 py-2 text-sm">
        {removed.map((record) => (
          <span key={`-${lineOf(record)}`} className="block text-danger">{`− ${lineOf(record)}`}</span>
        ))}
        {added.map((record) => (
          <span key={`+${lineOf(record)}`} className="block text-success">{`+ ${lineOf(record)}`}</span>
        ))}
        {more > 0 && <span className="block text-muted">{`and ${more} more`}</span>}
      </pre>
    </li>
  );
}

function lineOf({ name, ttl, recordType, value }: DnsChange['added'][number]): string {
  return `${name} ${ttl} ${recordType} ${value}`;
}

/** Asks, then undoes a change. */
function RevertChange({ change: { id, domain } }: { change: DnsChange }) {
  const revert = useAction(trpc.dns.revertChange.useMutation(), {
    success: 'Change reverted',
    failure: 'Failed to revert the change',
    serverSpeaks: true,
    refresh: useRecordQueries(),
  });
  return (
    <ConfirmDialog
      title="Revert this change?"
      description={`Records it added to ${domain} are removed, and records it removed are added again. Later changes stay.`}
      label="Revert change"
      action={revert}
      onConfirm={(close) => revert.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" onClick={open}>
          Revert
        </Button>
      )}
    />
  );
}
