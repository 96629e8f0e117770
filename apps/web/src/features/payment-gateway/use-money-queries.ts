import { trpc } from '../../trpc.ts';

/** Everything that shows money: whatever moves some makes all of them old. */
export function useMoneyQueries() {
  const { paymentGateway } = trpc.useUtils();
  return [
    paymentGateway.virtualAccounts,
    paymentGateway.virtualAccount,
    paymentGateway.transactions,
    paymentGateway.statement,
  ];
}
