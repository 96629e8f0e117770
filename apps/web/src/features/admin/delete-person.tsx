import type { AdminUser, PersonContents } from '@nephos/contracts';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { WorkspaceContentsList } from '../../lib/workspace-contents.tsx';
import { displayName } from '../../shell/person.ts';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PersonPart, usePersonLists } from './person-part.tsx';

interface DeletePersonProps {
  user: AdminUser;
  onDeleted: () => void;
}

/** The way to delete somebody for good. */
export function DeletePerson(props: DeletePersonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <PersonPart title="Delete account" about="For good. Their things go along, or to someone else.">
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && <Question {...props} onClose={() => setAsking(false)} />}
    </PersonPart>
  );
}

type Things = 'delete' | 'handOver';

const CHOICES = [
  { value: 'handOver', label: 'Hand over to someone else' },
  { value: 'delete', label: 'Delete everything' },
] as const satisfies readonly { value: Things; label: string }[];

function Question({ user, onDeleted, onClose }: DeletePersonProps & { onClose: () => void }) {
  const contents = trpc.admin.userContents.useQuery({ userId: user.id }, { staleTime: 0 });
  const [things, setThings] = useState<Things>('handOver');
  const [heir, setHeir] = useState('');
  const remove = useAction(trpc.admin.removeUser.useMutation(), {
    success: 'Account deleted',
    failure: 'Failed to delete the account',
    serverSpeaks: true,
    refresh: usePersonLists(),
    onDone: onDeleted,
  });
  const obstacle = (things === 'delete' && contents.data?.obstacle) || undefined;
  return (
    <DeleteDialog
      title={`Delete the account of ${displayName(user)}?`}
      description="Their sessions and access tokens end now, and so do their memberships. This can't be undone."
      name={user.email}
      label="Delete account"
      action={{ ...remove, forbidden: remove.forbidden ?? obstacle }}
      onConfirm={(close) =>
        remove.run(
          { userId: user.id, email: user.email, things, ...(heir.trim() && { handOverTo: heir }) },
          close,
        )
      }
      onClose={onClose}
    >
      <div className="space-y-4">
        {contents.error && <LoadFailure query={contents} failure="Couldn't load what they have." />}
        {contents.isPending && <Skeleton className="h-12" />}
        {contents.data && <WorkspaceContentsList contents={contents.data} label="What they have" />}
        <Field label="Their things">
          <Select value={things} onValueChange={setThings} options={CHOICES} />
        </Field>
        {contents.data && needsHeir(things, contents.data) && (
          <Field
            label="New owner's email"
            hint={aboutHeir(things, contents.data)}
            error={remove.fields.handOverTo}
          >
            <Input
              type="email"
              value={heir}
              onChange={(event) => setHeir(event.target.value)}
              autoComplete="off"
            />
          </Field>
        )}
      </div>
    </DeleteDialog>
  );
}

function needsHeir(things: Things, { ownedAlone }: PersonContents): boolean {
  return things === 'handOver' || ownedAlone.length > 0;
}

function aboutHeir(things: Things, { ownedAlone }: PersonContents): string {
  const shared = ownedAlone.length > 0 ? `Gets ${ownedAlone.join(', ')}, which nobody else owns.` : '';
  if (things === 'delete') return shared;
  return ['Their things become a shared workspace of this person.', shared].filter(Boolean).join(' ');
}
