import { Link } from '@tanstack/react-router';
import { AlertRows } from '../lib/alert-rows.tsx';
import { FIRST_PAGE, KEYSET_PAGES } from '../lib/keyset-pages.ts';
import { MarkAllRead } from '../lib/mark-all-read.tsx';
import { trpc } from '../lib/trpc.ts';
import { buttonStyles } from '../ui/button-styles.ts';
import { Sheet } from '../ui/sheet.tsx';

/** The alerts beside whatever page is open. */
export function AlertDrawer({ onClose }: { onClose: () => void }) {
  const list = trpc.alerts.list.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  return (
    <Sheet open onOpenChange={onClose} title="Alerts" showTitle width="28rem">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <Link to="/alerts" onClick={onClose} className={buttonStyles({ size: 'sm' })}>
          All alerts and channels
        </Link>
        <MarkAllRead newest={list.data?.pages[0]?.[0]} />
      </div>
      <div className="min-h-0 grow overflow-y-auto px-4 pb-6">
        <AlertRows
          list={list}
          empty="Nothing needs your attention. Failed deployments, crashes and the like will be listed here."
          onFollow={onClose}
        />
      </div>
    </Sheet>
  );
}
