import { Bell } from 'lucide-react';
import { lazy, useState } from 'react';
import { trpc } from '../lib/trpc.ts';
import { useChanges } from '../lib/use-changes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { LatePart } from './late-part.tsx';

const AlertDrawer = lazy(() =>
  import('./alert-drawer.tsx').then(({ AlertDrawer }) => ({ default: AlertDrawer })),
);

/** More than these are not counted on the bell. */
const MOST_SHOWN = 99;

/** The header's way to the alerts, with how many of them the person has not read. */
export function AlertBell() {
  const utils = trpc.useUtils();
  const [open, setOpen] = useState(false);
  const { data } = trpc.alerts.unread.useQuery();
  useChanges(
    trpc.alerts.changes,
    {},
    {
      refetch: () => {
        void utils.alerts.unread.invalidate();
        void utils.alerts.list.invalidate();
      },
      onChange: ({ data: unread }) => {
        utils.alerts.unread.setData(undefined, unread);
        void utils.alerts.list.invalidate();
      },
    },
  );
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? `Alerts, ${unread} unread` : 'Alerts';
  return (
    <>
      <IconButton
        label={label}
        title={label}
        aria-haspopup="dialog"
        className="relative"
        onClick={() => setOpen(true)}
      >
        <Bell />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute top-0.5 right-0.5 min-w-4 rounded-full bg-danger-solid px-1 text-center font-medium text-accent-fg text-xs leading-4"
          >
            {Math.min(unread, MOST_SHOWN)}
          </span>
        )}
      </IconButton>
      {open && (
        <LatePart wanted onSaid={() => setOpen(false)}>
          <AlertDrawer onClose={() => setOpen(false)} />
        </LatePart>
      )}
    </>
  );
}
