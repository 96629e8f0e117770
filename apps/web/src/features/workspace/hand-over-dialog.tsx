import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useUser } from '../../lib/use-user.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { displayName } from '../../shell/person.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMembers } from './use-members.ts';

/** Makes another member an owner, and oneself an admin. */
export function HandOverDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const { id, name } = useWorkspace();
  const { id: self } = useUser();
  const [userId, setUserId] = useState('');
  const members = useMembers();
  const others = members.data?.pages.flat().filter((member) => member.userId !== self && !member.service);
  const refresh = [utils.workspaces.members, utils.auth.user, utils.workspaces.list];
  const chosen = others?.find((member) => member.userId === userId);
  const halfway = `${chosen ? displayName(chosen) : 'The new owner'} is an owner now; you are still one, too.`;
  const step = useAction(trpc.workspaces.changeMember.useMutation(), {
    success: 'Workspace handed over. You are an admin now.',
    failure: halfway,
    refresh,
    leave: onClose,
  });
  const promote = useAction(trpc.workspaces.changeMember.useMutation(), {
    failure: 'Failed to hand over the workspace',
    serverSpeaks: true,
    refresh,
    onDone: () => step.run({ id, userId: self, role: 'admin' }),
  });
  return (
    <FormDialog
      title={`Hand over ${name}`}
      description="They become an owner, and you an admin. Only an owner can undo this."
      label="Hand over"
      ready={userId !== ''}
      action={{
        pending: promote.pending || step.pending,
        refusal: promote.refusal ?? (step.refusal && halfway),
      }}
      onSubmit={() => promote.run({ id, userId, role: 'owner' })}
      onClose={onClose}
    >
      {!others ? (
        members.error ? (
          <LoadFailure query={members} failure="Failed to load members" />
        ) : (
          <Skeleton className="h-16" />
        )
      ) : others.length === 0 && !members.hasNextPage ? (
        <Notice title="There is nobody to hand it over to">Invite somebody first.</Notice>
      ) : (
        <Field label="New owner" required>
          <Select
            value={userId}
            onValueChange={setUserId}
            placeholder="Choose a member"
            options={others.map((member) => ({ value: member.userId, label: displayName(member) }))}
          />
        </Field>
      )}
      <MorePages list={members} failure="Couldn't load more members." label="Show more members" />
    </FormDialog>
  );
}
