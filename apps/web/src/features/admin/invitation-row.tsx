import type { Invitation } from '@nephos/contracts';
import { Link2 } from 'lucide-react';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { invitedOf } from './invited.ts';

export interface InvitationRowProps {
  invitation: Invitation;
  onRevoke: () => void;
}

export function InvitationRow({ invitation, onRevoke }: InvitationRowProps) {
  const { invitedBy, expiresAt } = invitation;
  const invited = invitedOf(invitation);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
      <Link2 aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="break-all font-medium">{invited}</p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {invitedBy && `invited by ${invitedBy} · `}
          <time dateTime={expiresAt}>ends {formatInstant(expiresAt)}</time>
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke the invitation: ${invited}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
