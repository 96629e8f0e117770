import type { VirtualAccount } from '@nephos/contracts';
import { Landmark } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AccountCard } from './account-card.tsx';

export interface AccountListProps {
  accounts: readonly VirtualAccount[];
  onCreate: () => void;
}

export function AccountList({ accounts, onCreate }: AccountListProps) {
  if (accounts.length === 0) {
    return (
      <EmptyState
        icon={Landmark}
        title="No virtual accounts yet. Create one to get started!"
        description="An account has a number of its own, and a balance that moves only by payments: what you send and what you receive."
        action={<Button onClick={onCreate}>Create your first account</Button>}
      />
    );
  }
  return (
    <ul aria-label="Virtual accounts" className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {accounts.map((account) => (
        <li key={account.id} className="min-w-0">
          <AccountCard account={account} />
        </li>
      ))}
    </ul>
  );
}
