import type { Workspace } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Check, Plus, Settings } from 'lucide-react';
import { trpc } from '../lib/trpc.ts';
import { useEnterWorkspace, useWorkspace } from '../lib/use-workspace.ts';
import { MenuItem, MenuLabel, MenuSeparator } from './late-menu.tsx';

export interface WorkspaceMenuProps {
  onNew: () => void;
  onNavigate: (() => void) | undefined;
}

/** One's workspaces, and what can be done with them. */
export function WorkspaceMenu({ onNew, onNavigate }: WorkspaceMenuProps) {
  // They change by others, too.
  const list = trpc.workspaces.list.useQuery(undefined, { staleTime: 0 });
  const { id: current } = useWorkspace();
  const { run: enter } = useEnterWorkspace();
  return (
    <>
      <div className="max-h-72 overflow-y-auto">
        {list.isPending && <MenuLabel className="text-muted">Loading…</MenuLabel>}
        {list.isError && !list.data && (
          <MenuLabel className="text-muted">Your workspaces could not be loaded.</MenuLabel>
        )}
        {list.data?.map((workspace) => (
          <WorkspaceItem
            key={workspace.id}
            workspace={workspace}
            isCurrent={workspace.id === current}
            onSelect={() => workspace.id !== current && enter({ id: workspace.id })}
          />
        ))}
      </div>
      <MenuSeparator />
      <MenuItem onSelect={onNew}>
        <Plus aria-hidden="true" />
        New workspace
      </MenuItem>
      <MenuItem asChild>
        <Link to="/workspace" onClick={onNavigate}>
          <Settings aria-hidden="true" />
          Workspace settings
        </Link>
      </MenuItem>
    </>
  );
}

interface WorkspaceItemProps {
  workspace: Workspace;
  isCurrent: boolean;
  onSelect: () => void;
}

function WorkspaceItem({ workspace: { name, personal, role }, isCurrent, onSelect }: WorkspaceItemProps) {
  return (
    <MenuItem onSelect={onSelect} className="py-1.5" aria-current={isCurrent || undefined}>
      <Check aria-hidden="true" className={isCurrent ? undefined : 'invisible'} />
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        <span className="block text-muted text-xs">
          {personal ? 'Yours alone' : WORKSPACE_ROLE_NAMES[role]}
        </span>
      </span>
    </MenuItem>
  );
}
