import type { User } from '@nephos/contracts';
import { displayName } from '../../shell/person.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';

export interface MakeAdminProps {
  user: User;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pending: boolean;
  onConfirm: () => void;
}

/** Confirmed, unlike the way back: an admin sees everything at once, and one slip in the list would be enough. */
export function MakeAdmin({ user, open, onOpenChange, pending, onConfirm }: MakeAdminProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={`Make ${displayName(user)} an admin?`} description={user.email}>
        <p className="text-muted">
          Admins see the users, subscriptions, payments and usage of this whole installation, and change
          anyone else's role, yours too.
        </p>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" pending={pending} onClick={onConfirm}>
            Make admin
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
