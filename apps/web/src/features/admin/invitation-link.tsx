import type { CreatedInvitation } from '@nephos/contracts';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface InvitationLinkProps {
  created: CreatedInvitation;
  onDone: () => void;
}

/** The one time that a link is shown. */
export function InvitationLink({ created: { email, link, expiresAt }, onDone }: InvitationLinkProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Copy it now">
        This is the only time that the link is shown. Whoever has it can make one account
        {email && <> for {email}</>} until {formatInstant(expiresAt)}.
      </Notice>
      <CodeBlock code={link} label="invitation link" wrap />
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
