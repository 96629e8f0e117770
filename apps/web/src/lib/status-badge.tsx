import { CircleCheck, CircleX } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** Work is under way until one of the others is reached. */
const MOVING = ['pending', 'processing'];

/**
 * The status of a subscription or a payment: active and completed stand out, failed and cancelled
 * are destructive, every other is secondary and shown as it is.
 */
export function StatusBadge({ status }: { status: string }) {
  const label = status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');
  switch (status) {
    case 'active':
    case 'completed':
      return (
        <Badge tone="success" icon={<CircleCheck aria-hidden="true" />}>
          {label}
        </Badge>
      );
    case 'failed':
    case 'cancelled':
      return (
        <Badge tone="danger" icon={<CircleX aria-hidden="true" />}>
          {label}
        </Badge>
      );
    default:
      return <Badge icon={MOVING.includes(status) && <Spinner />}>{label}</Badge>;
  }
}
