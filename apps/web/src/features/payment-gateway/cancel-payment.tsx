import type { GatewayTransaction } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { useMoneyQueries } from './use-money-queries.ts';

/** Takes back a payment that has not left yet. Not confirmed: nothing is lost by it, and it can be too late in seconds. */
export function CancelPayment({ payment: { id, reference } }: { payment: GatewayTransaction }) {
  const cancel = useAction(trpc.paymentGateway.cancel.useMutation(), {
    success: 'Payment cancelled',
    failure: 'Failed to cancel payment',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
  });
  return (
    <Button
      size="sm"
      className="mt-1 max-sm:self-start"
      aria-label={`Cancel ${reference}`}
      pending={cancel.pending}
      onClick={() => cancel.run({ id })}
    >
      Cancel
    </Button>
  );
}
