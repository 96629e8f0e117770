import type { Alert } from '@nephos/contracts';
import { ALERT_RULES } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, MailCheck, MailOpen } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MorePages } from '../ui/more-pages.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { formatAgo, formatInstant } from './format.ts';
import { nextPages, type PagedList } from './keyset-pages.ts';
import { LoadFailure } from './load-failure.tsx';
import { trpc } from './trpc.ts';
import { useAction } from './use-action.ts';

export interface AlertRowsProps {
  list: PagedList<Alert>;
  /** Said where there are none. */
  empty: string;
  /** When one of them was followed to its page. */
  onFollow?: () => void;
}

/** Alerts, newest first, as far as they were fetched. */
export function AlertRows({ list, empty, onFollow }: AlertRowsProps) {
  const rows = list.data?.pages.flat();
  if (!rows) {
    return list.error ? (
      <LoadFailure query={list} failure="The alerts couldn't be loaded." />
    ) : (
      <Skeleton className="h-40 w-full" />
    );
  }
  if (rows.length === 0) return <p className="py-8 text-center text-muted">{empty}</p>;
  return (
    <>
      <ul
        aria-label="Alerts"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {rows.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onFollow={onFollow} />
        ))}
      </ul>
      <MorePages {...nextPages(list, 'alerts')} />
    </>
  );
}

function AlertRow({ alert, onFollow }: { alert: Alert; onFollow: (() => void) | undefined }) {
  const { id, kind, subject, text, path, count, lastAt, recoveredAt, read } = alert;
  const mark = useMark();
  const { pathname, searchParams } = new URL(path, window.location.origin);
  const title = `${ALERT_RULES[kind].title}: ${subject.name}`;
  const Icon = recoveredAt ? CircleCheck : CircleAlert;
  return (
    <li className={classNames('flex gap-3 px-4 py-3', !read && 'bg-accent-soft')}>
      <Icon
        aria-hidden="true"
        className={classNames('mt-0.5 size-4 shrink-0', recoveredAt ? 'text-success' : 'text-danger')}
      />
      <div className="min-w-0 grow">
        <Link
          to={pathname}
          search={Object.fromEntries(searchParams)}
          preload={false}
          onClick={() => {
            if (!read) mark.run({ id, read: true });
            onFollow?.();
          }}
          className="inline-block break-words rounded-sm font-medium hover:underline"
        >
          {!read && <span className="sr-only">Unread. </span>}
          {title}
        </Link>
        <p className="break-words text-muted text-sm">{text}</p>
        <p className="mt-0.5 text-muted text-sm">
          <time dateTime={lastAt} title={formatInstant(lastAt)}>
            {formatAgo(lastAt)}
          </time>
          {count > 1 && ` · ${count} times`}
          {recoveredAt && ` · over ${formatAgo(recoveredAt)}`}
        </p>
      </div>
      <IconButton
        size="sm"
        label={`Mark as ${read ? 'unread' : 'read'}: ${title}`}
        title={`Mark as ${read ? 'unread' : 'read'}`}
        onClick={() => mark.run({ id, read: !read })}
      >
        {read ? <MailOpen /> : <MailCheck />}
      </IconButton>
    </li>
  );
}

function useMark() {
  const utils = trpc.useUtils();
  return useAction(trpc.alerts.mark.useMutation(), {
    failure: "The alert couldn't be marked.",
    refresh: [utils.alerts.list, utils.alerts.unread],
  });
}
