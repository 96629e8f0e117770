import type { VariableGroup } from '@nephos/contracts';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { GroupNameField } from './new-group-dialog.tsx';
import { VariableForm } from './variable-form.tsx';
import { VariableList } from './variable-list.tsx';
import { countOfProjects } from './variable-words.ts';

const route = getRouteApi('/_console/variable-groups/$groupId');

export function VariableGroupPage() {
  const { groupId } = route.useParams();
  const [group] = trpc.variableGroups.get.useSuspenseQuery({ id: groupId });
  const holder = { kind: 'group', id: groupId } as const;
  return (
    <>
      <BackLink to="/variable-groups">Variable Groups</BackLink>
      <PageHeader
        title={group.name}
        description="Environment variables that several projects share."
        action={
          <>
            <RenameGroup group={group} />
            <DeleteGroup group={group} />
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <UsedBy group={group} />
        <VariableForm holder={holder} variables={group.variables} />
        <VariableList holder={holder} variables={group.variables} />
      </div>
    </>
  );
}

/** Which projects a change is for. */
function UsedBy({ group: { projects } }: { group: VariableGroup }) {
  if (projects.length === 0) {
    return (
      <Notice title="No project uses this group yet">
        Link it on the Environment page of a project. Values are encrypted, masked in logs and never shown
        again.
      </Notice>
    );
  }
  return (
    <Notice
      title={`Changes take effect on the next restart or deployment of ${countOfProjects(projects.length)}`}
    >
      <ul aria-label="Projects with this group" className="flex flex-wrap gap-x-4 gap-y-1">
        {projects.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/projects/$projectId/environment"
              params={{ projectId: id }}
              className="break-words text-accent-text hover:underline"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function RenameGroup({ group }: { group: VariableGroup }) {
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <Button onClick={() => setRenaming(true)}>
        <Pencil aria-hidden="true" />
        Rename
      </Button>
      {renaming && <RenameDialog group={group} onClose={() => setRenaming(false)} />}
    </>
  );
}

function RenameDialog({ group, onClose }: { group: VariableGroup; onClose: () => void }) {
  const utils = trpc.useUtils();
  const [name, setName] = useState(group.name);
  const rename = useAction(trpc.variableGroups.rename.useMutation(), {
    success: 'Group renamed',
    failure: 'Failed to rename the group',
    refresh: [utils.variableGroups],
    leave: onClose,
  });
  return (
    <FormDialog
      title="Rename group"
      label="Save"
      ready={name.trim() !== ''}
      action={rename}
      onSubmit={() => rename.run({ id: group.id, name })}
      onClose={onClose}
    >
      <GroupNameField name={name} onChange={setName} error={rename.fields.name} />
    </FormDialog>
  );
}

function DeleteGroup({ group: { id, name, projects } }: { group: VariableGroup }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const remove = useAction(trpc.variableGroups.remove.useMutation(), {
    success: 'Group deleted',
    failure: 'Failed to delete the group',
    serverSpeaks: true,
    refresh: [utils.variableGroups.list, utils.variableGroups.ofProject],
    // First away from the page: there is nothing to show there any more.
    onDone: () =>
      void navigate({ to: '/variable-groups' }).then(() => utils.variableGroups.get.reset({ id })),
  });
  return (
    <DeleteDialog
      title="Delete variable group?"
      description={
        projects.length === 0
          ? "Its values can't be recovered."
          : `Its values can't be recovered, and the next restart or deployment of ${countOfProjects(projects.length)} goes without them.`
      }
      name={name}
      label="Delete group"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button variant="ghost" onClick={open}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      )}
    />
  );
}
