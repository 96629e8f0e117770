import type { CreatedAccessToken } from '@nephos/contracts';
import { useState } from 'react';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { CreatedToken } from './created-token.tsx';
import { NewTokenForm } from './new-token-form.tsx';

export interface NewTokenDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NewTokenDialog({ open, onOpenChange }: NewTokenDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="New Access Token" description="It acts in your name, within its scope.">
        <NewToken onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog: what was made is forgotten when it closes. */
function NewToken({ onDone }: { onDone: () => void }) {
  const [created, setCreated] = useState<CreatedAccessToken>();
  return created ? (
    <CreatedToken created={created} onDone={onDone} />
  ) : (
    <NewTokenForm onCreated={setCreated} />
  );
}
