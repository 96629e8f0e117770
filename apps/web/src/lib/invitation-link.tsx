import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DialogFooter } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface InvitationLinkProps {
  created: { email: string | null; link: string; mailed: boolean };
  onDone: () => void;
  /** What it is good for, and until when. */
  children: ReactNode;
}

/** The one time that a link is shown. */
export function InvitationLink({ created: { email, link, mailed }, onDone, children }: InvitationLinkProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title={mailed ? `The link is being mailed to ${email}` : 'Copy the link now'}>
        You won't see it again here. {children}
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
