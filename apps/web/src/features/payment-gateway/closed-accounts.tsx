import type { VirtualAccount } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { formatDate } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';

/** The accounts that were closed, whose statements stay; nothing where there are none. */
export function ClosedAccounts() {
  const { data: accounts = [] } = trpc.paymentGateway.virtualAccounts.useQuery({ closed: true });
  if (accounts.length === 0) return null;
  return (
    <section aria-labelledby="closed-accounts" className="mt-8">
      <h2 id="closed-accounts" className="mb-3 font-semibold text-lg">
        Closed accounts
      </h2>
      <ul
        aria-labelledby="closed-accounts"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {accounts.map((account) => (
          <ClosedRow key={account.id} account={account} />
        ))}
      </ul>
    </section>
  );
}

function ClosedRow({ account: { id, accountName, accountNumber, closedAt } }: { account: VirtualAccount }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3">
      <span className="min-w-0">
        <Link
          to="/payment-gateway/accounts/$accountId"
          params={{ accountId: id }}
          className="break-words rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {accountName}
        </Link>
        <code className="block text-faint text-sm">{accountNumber}</code>
      </span>
      <span className="flex items-center gap-3 text-muted text-sm">
        {closedAt && formatDate(closedAt)}
        <Badge>Closed</Badge>
      </span>
    </li>
  );
}
