import type { Member } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES } from '@nephos/contracts/constants';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { useRefusal } from '../../lib/use-refusal.ts';
import { useUser } from '../../lib/use-user.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { displayName, initials } from '../../shell/person.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MemberActions } from './member-actions.tsx';
import { useMembers } from './use-members.ts';

const ServiceAccountDialog = lateDialog({ fields: 2 }, () =>
  import('./service-account-dialog.tsx').then(({ ServiceAccountDialog }) => ServiceAccountDialog),
);

/** Everyone in the workspace, people and service accounts. */
export function MemberList() {
  const list = useMembers();
  const refusal = useRefusal('people');
  const [adding, setAdding] = useState(false);
  const members = list.data?.pages.flat();
  return (
    <Card>
      <CardHeader
        title="Members"
        description="People, and service accounts: members for programs, with access tokens alone."
        aside={
          !refusal && (
            <Button onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Service account
            </Button>
          )
        }
      />
      {list.error && !list.isFetchNextPageError && (
        <div className="mt-4">
          <LoadFailure query={list} failure="Failed to load members" />
        </div>
      )}
      {!members && !list.error && <Skeleton className="mt-4 h-16" />}
      {members && (
        <ul aria-label="Members" className="mt-4 divide-y divide-line border-line border-t">
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} />
          ))}
        </ul>
      )}
      <MorePages list={list} failure="Couldn't load more members." />
      {refusal && (
        <p className="mt-3 text-faint text-sm">Owners and admins change roles and invite people.</p>
      )}
      {adding && <ServiceAccountDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

function MemberRow({ member }: { member: Member }) {
  const { userId, email, role, service, profileImageUrl, joinedAt } = member;
  const { role: ownRole } = useWorkspace();
  const isSelf = useUser().id === userId;
  const refusal = useRefusal('people');
  const name = nameOf(member);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
      {service ? (
        <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
          <Bot aria-hidden="true" className="size-4" />
        </span>
      ) : (
        <Avatar src={profileImageUrl} fallback={initials(member)} />
      )}
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {isSelf && <Badge>You</Badge>}
          {service && <Badge>Service account</Badge>}
        </p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {!service && email !== name && `${email} · `}
          <time dateTime={joinedAt}>joined {formatDate(joinedAt)}</time>
        </p>
      </div>
      {/* An admin is no match for an owner. */}
      {refusal || isSelf || (role === 'owner' && ownRole !== 'owner') ? (
        <span className="text-muted text-sm">{WORKSPACE_ROLE_NAMES[role]}</span>
      ) : (
        <MemberActions member={member} name={name} />
      )}
    </li>
  );
}

/** A service account has a first name alone. */
function nameOf(member: Member): string {
  return member.service ? (member.firstName ?? 'Service account') : displayName(member);
}
