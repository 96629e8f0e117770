import type { Alert } from '@nephos/contracts';
import { Button } from '../ui/button.tsx';
import { trpc } from './trpc.ts';
import { useAction } from './use-action.ts';

/** Marks as read what the person has seen: the newest alert that is shown, and all before it. */
export function MarkAllRead({ newest }: { newest: Alert | undefined }) {
  const utils = trpc.useUtils();
  const mark = useAction(trpc.alerts.markAllRead.useMutation(), {
    failure: "The alerts couldn't be marked.",
    refresh: [utils.alerts.list, utils.alerts.unread],
  });
  const { data } = trpc.alerts.unread.useQuery();
  if (!newest || !data?.unread) return null;
  return (
    <Button size="sm" pending={mark.pending} onClick={() => mark.run({ through: newest.id })}>
      Mark all as read
    </Button>
  );
}
