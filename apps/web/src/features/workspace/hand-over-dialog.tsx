import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useUser } from '../../lib/use-user.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { displayName } from '../../shell/person.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { useMembers } from './use-members.ts';

/** Makes another member an owner, and oneself an admin. */
export function HandOverDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const { id, name } = useWorkspace();
  const { id: self } = useUser();
  const [userId, setUserId] = useState('');
  const members = useMembers().data?.pages.flat() ?? [];
  const others = members.filter((member) => member.userId !== self && !member.service);
  const refresh = [utils.workspaces.members, utils.auth.user, utils.workspaces.list];
  const step = useAction(trpc.workspaces.changeMember.useMutation(), {
    success: 'Workspace handed over. You are an admin now.',
    failure: 'Failed to hand over the workspace',
    serverSpeaks: true,
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
      action={{ pending: promote.pending || step.pending, refusal: promote.refusal ?? step.refusal }}
      onSubmit={() => promote.run({ id, userId, role: 'owner' })}
      onClose={onClose}
    >
      {others.length === 0 ? (
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
    </FormDialog>
  );
}
