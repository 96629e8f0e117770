import { ChevronRight } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';

/** What carries the money to other banks; for the sandbox, with the numbers that fail. */
export function RailNote({ onPick }: { onPick: (accountNumber: string) => void }) {
  // A help only, like the numbers in it.
  const { data: rail } = trpc.paymentGateway.rail.useQuery();
  if (!rail) return null;
  if (rail.failures.length === 0) return <p className="text-faint text-sm">{rail.hint}</p>;
  return (
    <details className="group text-sm">
      <summary className="flex cursor-default list-none items-start gap-1.5 rounded-sm text-muted hover:text-fg [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="mt-0.5 size-4 shrink-0 transition-transform group-open:rotate-90"
        />
        Sandbox: account numbers that fail
      </summary>
      <p className="mt-2 pl-5.5 text-faint">{rail.hint}</p>
      <ul aria-label="Account numbers that fail" className="mt-2 flex flex-col gap-1 pl-5.5">
        {rail.failures.map(({ accountNumber, failure }) => (
          <li key={accountNumber} className="flex flex-wrap items-center justify-between gap-x-3">
            <span>
              <code className="break-all">{accountNumber}</code>
              <span className="block text-faint">{failure}</span>
            </span>
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Use ${accountNumber}`}
              onClick={() => onPick(accountNumber)}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
