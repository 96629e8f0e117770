import type { Variable, VariableGroup } from '@nephos/contracts';
import { MAX_LINKED_GROUPS } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Unlink } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { countOfVariables } from './variable-words.ts';

export interface LinkedGroupsProps {
  projectId: string;
  /** In the order of linking. */
  groups: readonly VariableGroup[];
  /** The project's own variables. */
  own: readonly Variable[];
}

/** The groups whose variables a project gets, the strongest first, and which of these do not count. */
export function LinkedGroups({ projectId, groups, own }: LinkedGroupsProps) {
  return (
    <Card className="flex flex-col gap-4">
      <CardHeader
        title="Variable groups"
        description="Variables you share between projects. The project's own variables win, then the group at the top."
        aside={
          <Link to="/variable-groups" className={buttonStyles({ size: 'sm' })}>
            Manage groups
          </Link>
        }
      />
      {groups.length > 0 && (
        <ul aria-label="Linked groups" className="divide-y divide-line rounded-lg border border-line">
          {strongestFirst(groups, own).map(({ group, overridden }) => (
            <li key={group.id} className="flex items-start justify-between gap-3 px-4 py-3">
              <Group group={group} overridden={overridden} />
              <UnlinkGroup projectId={projectId} group={group} />
            </li>
          ))}
        </ul>
      )}
      <LinkGroup projectId={projectId} groups={groups} />
    </Card>
  );
}

/** Each group with the names that something stronger has. */
function strongestFirst(groups: readonly VariableGroup[], own: readonly Variable[]) {
  const taken = new Set(own.map(({ name }) => name));
  return groups.toReversed().map((group) => {
    const names = group.variables.map(({ name }) => name);
    const overridden = new Set(names.filter((name) => taken.has(name)));
    for (const name of names) taken.add(name);
    return { group, overridden };
  });
}

function Group({
  group: { id, name, variables },
  overridden,
}: {
  group: VariableGroup;
  overridden: ReadonlySet<string>;
}) {
  return (
    <div className="min-w-0">
      <Link
        to="/variable-groups/$groupId"
        params={{ groupId: id }}
        className="break-words font-medium hover:underline"
      >
        {name}
      </Link>
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-muted text-sm">
        {variables.length === 0 && 'No variables yet'}
        {variables.map((variable) =>
          overridden.has(variable.name) ? (
            <span key={variable.name}>
              <code className="break-all line-through">{variable.name}</code> overridden
            </span>
          ) : (
            <code key={variable.name} className="break-all">
              {variable.name}
            </code>
          ),
        )}
      </p>
    </div>
  );
}

function LinkGroup({ projectId, groups }: Pick<LinkedGroupsProps, 'projectId' | 'groups'>) {
  const utils = trpc.useUtils();
  const all = trpc.variableGroups.list.useQuery();
  const link = useAction(trpc.variableGroups.link.useMutation(), {
    success: 'Group linked',
    failure: 'Failed to link the group',
    serverSpeaks: true,
    refresh: [utils.variableGroups],
  });
  const linked = new Set(groups.map(({ id }) => id));
  const others = (all.data ?? []).filter(({ id }) => !linked.has(id));
  if (all.isError) return <Notice tone="warning" title="Your other groups could not be loaded" />;
  if (groups.length >= MAX_LINKED_GROUPS) {
    return <p className="text-muted text-sm">A project can have up to {MAX_LINKED_GROUPS} groups.</p>;
  }
  if (others.length === 0) {
    if (groups.length > 0 || all.isPending) return null;
    return (
      <p className="text-muted text-sm">
        You have no variable groups yet.{' '}
        <Link to="/variable-groups" search={{ new: 1 }} className="text-accent-text underline">
          Create one
        </Link>
      </p>
    );
  }
  return (
    <Select
      aria-label="Link a group"
      className="max-w-80"
      value=""
      placeholder="Link a group…"
      disabled={link.pending}
      options={others.map(({ id, name, variables }) => ({
        value: id,
        label: `${name} (${countOfVariables(variables.length)})`,
      }))}
      onValueChange={(groupId) => link.run({ id: projectId, groupId })}
    />
  );
}

function UnlinkGroup({
  projectId,
  group: { id: groupId, name },
}: {
  projectId: string;
  group: VariableGroup;
}) {
  const utils = trpc.useUtils();
  const unlink = useAction(trpc.variableGroups.unlink.useMutation(), {
    success: 'Group unlinked',
    failure: 'Failed to unlink the group',
    serverSpeaks: true,
    refresh: [utils.variableGroups],
  });
  return (
    <IconButton
      label={`Unlink ${name}`}
      title={`Unlink ${name}`}
      disabled={unlink.pending}
      onClick={() => unlink.run({ id: projectId, groupId })}
    >
      <Unlink />
    </IconButton>
  );
}
