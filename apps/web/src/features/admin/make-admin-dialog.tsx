import type { User } from '@nephos/contracts';
import { displayName } from '../../shell/person.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

export interface MakeAdminDialogProps {
  user: User;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirmed, unlike the way back: an admin sees everything at once, and one slip in the list would be enough. */
export function MakeAdminDialog({ user, pending, onConfirm, onClose }: MakeAdminDialogProps) {
  return (
    <FormDialog
      title={`Make ${displayName(user)} an admin?`}
      description={user.email}
      label="Make admin"
      ready
      // Why it was refused is said by the toast.
      action={{ pending, refusal: undefined }}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      <p className="text-muted">
        Admins can see all users, subscriptions, payments and usage, and change anyone's role except their
        own.
      </p>
    </FormDialog>
  );
}
