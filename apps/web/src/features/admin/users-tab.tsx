import type { AdminUser, Role } from '@nephos/contracts';
import { ShieldCheck, Users } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { displayName } from '../../shell/person.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { firstRows, useAdminView } from './admin-search.ts';
import { Day } from './cells.tsx';
import { FRESH_PAGES } from './fresh.ts';
import { Invitations } from './invitations.tsx';
import { ManagePerson } from './manage-person.tsx';
import { ROLE_NAMES, RoleSelector } from './role-selector.tsx';
import { RowList } from './row-list.tsx';

const COLUMNS: readonly Column<AdminUser>[] = [
  {
    heading: 'Email',
    className: 'w-1/3 max-w-64',
    cell: ({ email }) => <span className="break-all font-medium">{email}</span>,
    skeleton: 'h-5 w-44',
  },
  {
    heading: 'Name',
    className: 'w-1/3 max-w-56',
    cell: (user) => <span className="break-words">{displayName(user)}</span>,
    skeleton: 'h-5 w-28',
  },
  { heading: 'Role', cell: (user) => <RoleBadges user={user} />, skeleton: 'h-6 w-20 rounded-full' },
  { heading: 'Created', cell: ({ createdAt }) => <Day instant={createdAt} /> },
  {
    heading: 'Actions',
    cell: (user) => (
      <div className="flex flex-wrap items-start gap-2 @4xl/page:flex-nowrap">
        <RoleSelector user={user} />
        <ManagePerson user={user} />
      </div>
    ),
    skeleton: 'h-9 w-32',
  },
];

export function UsersTab() {
  const { words } = useAdminView();
  const list = trpc.admin.users.useInfiniteQuery(firstRows(words), FRESH_PAGES);
  return (
    <>
      <Invitations />
      <RowList
        list={list}
        columns={COLUMNS}
        label="Users"
        nouns={['user', 'users']}
        icon={Users}
        loading="Loading users…"
        empty="No users found"
        explanation="Users appear here when they sign up."
        searchLabel="Search users by email, name, ID or workspace"
      />
    </>
  );
}

function RoleBadges({ user: { role, disabledAt } }: { user: AdminUser }) {
  return (
    <span className="flex flex-wrap gap-1">
      <RoleBadge role={role} />
      {disabledAt && <Badge tone="danger">Disabled</Badge>}
    </span>
  );
}

function RoleBadge({ role }: { role: Role }) {
  return role === 'admin' ? (
    <Badge tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
      {ROLE_NAMES.admin}
    </Badge>
  ) : (
    <Badge>{ROLE_NAMES.member}</Badge>
  );
}
