import type { CreatedInvitation } from '@nephos/contracts';
import { useState } from 'react';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { InviteForm } from './invite-form.tsx';

export interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Invite Someone" description="Make a link, and send it to them yourself.">
        <Invite onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog: the link is forgotten when it closes. */
function Invite({ onDone }: { onDone: () => void }) {
  const [created, setCreated] = useState<CreatedInvitation>();
  return created ? (
    <InvitationLink created={created} onDone={onDone} />
  ) : (
    <InviteForm onCreated={setCreated} />
  );
}
