import type { AdminUser, Role, User } from '@nephos/contracts';
import { useId, useRef, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useUser } from '../../lib/use-user.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { firstRows, useAdminView } from './admin-search.ts';

const MakeAdminDialog = lateDialog({ fields: 1 }, () =>
  import('./make-admin-dialog.tsx').then(({ MakeAdminDialog }) => MakeAdminDialog),
);

export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member' };

const OPTIONS = [
  { value: 'admin', label: ROLE_NAMES.admin },
  { value: 'member', label: ROLE_NAMES.member },
] as const;

/** Changes the role of anyone but oneself. */
export function RoleSelector({ user }: { user: User }) {
  return useUser().id === user.id ? <OwnRole user={user} /> : <OthersRole user={user} />;
}

function OwnRole({ user: { email, role } }: { user: User }) {
  const reason = useId();
  return (
    <div className="py-2">
      <Select
        aria-label={`Role of ${email}`}
        aria-describedby={reason}
        value={role}
        onValueChange={() => {}}
        options={OPTIONS}
        disabled
        className="inline-flex! w-32!"
      />
      <p id={reason} className="mt-1 text-faint text-sm @4xl/page:whitespace-nowrap">
        You can't change your own role.
      </p>
    </div>
  );
}

function OthersRole({ user }: { user: User }) {
  const [promoting, setPromoting] = useState(false);
  const chosen = useRef<Role>(undefined);
  const { change, changing } = useChangeRole(user, () => setPromoting(false));

  function apply() {
    const role = chosen.current;
    chosen.current = undefined;
    // Not disabled while it changes, since that would lose the focus.
    if (!role || change.pending) return;
    if (role === 'admin') setPromoting(true);
    else change.run({ userId: user.id, role });
  }

  return (
    <>
      <Select
        aria-label={`Role of ${user.email}`}
        value={changing ?? user.role}
        onValueChange={(role) => {
          chosen.current = role;
        }}
        onClosed={apply}
        options={OPTIONS}
        className="w-32!"
      />
      {promoting && (
        <MakeAdminDialog
          user={user}
          pending={change.pending}
          onConfirm={() => change.run({ userId: user.id, role: 'admin' })}
          onClose={() => setPromoting(false)}
        />
      )}
    </>
  );
}

/** Gives someone else another role; `changing` is that role while it is under way. */
function useChangeRole({ id }: User, onDone: () => void) {
  const utils = trpc.useUtils();
  const { words } = useAdminView();
  const mutation = trpc.admin.changeRole.useMutation();

  /** The answer is shown at once; that the list is fetched again shows what else changed. */
  function show(changed: AdminUser) {
    utils.admin.users.setInfiniteData(
      firstRows(words),
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((users) => users.map((user) => (user.id === id ? changed : user))),
        },
    );
  }

  const change = useAction(mutation, {
    success: 'User role updated successfully',
    failure: 'Failed to update user role',
    serverSpeaks: true,
    refresh: [utils.admin.users, utils.admin.totals],
    onDone: (changed) => {
      show(changed);
      onDone();
    },
  });
  return { change, changing: mutation.isPending ? mutation.variables.role : undefined };
}
