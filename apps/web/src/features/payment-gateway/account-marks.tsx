import { FlaskConical } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

export interface AccountNumberProps {
  number: string;
  /** Whose it is, for the name of the button. */
  of: string;
}

/** An account number, to copy. */
export function AccountNumber({ number, of }: AccountNumberProps) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <code className="break-all text-sm">{number}</code>
      <CopyButton value={number} label={`Copy the account number of ${of}`} className="-mr-2" />
    </span>
  );
}

/** Marks an account into which money came that the sandbox rail made up. */
export function TestFunds() {
  return (
    <span title="Sandbox money with no real value">
      <Badge icon={<FlaskConical aria-hidden="true" />}>Test funds</Badge>
    </span>
  );
}
