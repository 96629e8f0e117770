import { Link } from '@tanstack/react-router';
import { Layers, Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../lib/trpc.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { NewGroupDialog } from './new-group-dialog.tsx';
import { countOfProjects, countOfVariables } from './variable-words.ts';

export function VariableGroupsPage() {
  const [groups] = trpc.variableGroups.list.useSuspenseQuery();
  const { creating, setCreating, opener } = useCreation();
  return (
    <>
      <BackLink to="/deployments">Deployments</BackLink>
      <PageHeader
        title="Variable Groups"
        description="Environment variables that several projects share."
        action={
          <Button variant="primary" {...opener}>
            <Plus aria-hidden="true" />
            New Group
          </Button>
        }
      />
      {groups.length === 0 ? (
        <EmptyState
          icon={Layers}
          title="No variable groups yet"
          description="Put variables that several projects need into a group, and link it on each project's Environment page."
          action={
            <Button variant="primary" {...opener}>
              Create Your First Group
            </Button>
          }
        />
      ) : (
        <ul
          aria-label="Variable groups"
          className="divide-y divide-line rounded-xl border border-line bg-surface"
        >
          {groups.map(({ id, name, variables, projects }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4">
              <Link
                to="/variable-groups/$groupId"
                params={{ groupId: id }}
                className="min-w-0 break-words font-medium hover:underline"
              >
                {name}
              </Link>
              <span className="text-muted text-sm tabular-nums">
                {countOfVariables(variables.length)} · {countOfProjects(projects.length)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {creating && <NewGroupDialog onClose={() => setCreating(false)} />}
    </>
  );
}
