import type { Role, User } from '@nephos/contracts';
import { useId, useState } from 'react';
import { useUser } from '../../shell/use-user.ts';
import { Select } from '../../ui/select.tsx';
import { MakeAdmin } from './make-admin.tsx';
import { ROLE_NAMES } from './role-names.ts';
import { useChangeRole } from './use-change-role.ts';

// Keys of an object of roles.
const OPTIONS = (Object.keys(ROLE_NAMES) as Role[]).map((value) => ({ value, label: ROLE_NAMES[value] }));

/** Changes the role of anyone but oneself. */
export function RoleSelector({ user }: { user: User }) {
  return useUser().id === user.id ? <OwnRole user={user} /> : <OthersRole user={user} />;
}

function OwnRole({ user: { email, role } }: { user: User }) {
  const reason = useId();
  return (
    <div className="flex flex-col gap-1 py-2">
      <Select
        aria-label={`Role of ${email}`}
        aria-describedby={reason}
        value={role}
        onValueChange={() => {}}
        options={OPTIONS}
        disabled
        className="w-32!"
      />
      <p id={reason} className="text-left text-faint text-sm">
        You cannot change your own role.
      </p>
    </div>
  );
}

function OthersRole({ user }: { user: User }) {
  const [promoting, setPromoting] = useState(false);
  const { change, changing } = useChangeRole(user, () => setPromoting(false));

  function choose(role: Role) {
    // Not disabled meanwhile, since that would lose the focus.
    if (change.pending || role === user.role) return;
    if (role === 'admin') setPromoting(true);
    else change.run({ userId: user.id, role });
  }

  return (
    <>
      <Select
        aria-label={`Role of ${user.email}`}
        value={changing ?? user.role}
        onValueChange={choose}
        options={OPTIONS}
        className="w-32!"
      />
      <MakeAdmin
        user={user}
        open={promoting}
        onOpenChange={setPromoting}
        pending={change.pending}
        onConfirm={() => change.run({ userId: user.id, role: 'admin' })}
      />
    </>
  );
}
