import { WORKSPACE_ROLE_NAMES } from '@nephos/contracts/constants';
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useWorkspace } from '../lib/use-workspace.ts';
import { classNames } from '../ui/class-names.ts';
import { useMenuDialog } from '../ui/use-menu-dialog.ts';
import { lateDialog } from './late-dialog.tsx';
import { LateMenu, MenuLabel } from './late-menu.tsx';

const WorkspaceMenu = lazy(() =>
  import('./workspace-menu.tsx').then(({ WorkspaceMenu }) => ({ default: WorkspaceMenu })),
);

const NewWorkspaceDialog = lateDialog({ fields: 1 }, () =>
  import('./new-workspace-dialog.tsx').then(({ NewWorkspaceDialog }) => NewWorkspaceDialog),
);

export interface WorkspaceSwitcherProps {
  collapsed: boolean;
  onNavigate?: (() => void) | undefined;
}

/** Which workspace the console shows, and the way to others. Of one's own it says the name alone. */
export function WorkspaceSwitcher({ collapsed, onNavigate }: WorkspaceSwitcherProps) {
  const { name, personal, role } = useWorkspace();
  const { open, choose, menuClosed, close } = useMenuDialog<'new'>();
  return (
    <div className={collapsed ? 'px-1.5' : 'px-3'}>
      <LateMenu
        align="start"
        className="w-64"
        onCloseAutoFocus={menuClosed}
        button={
          <button
            type="button"
            title={collapsed ? name : undefined}
            className={classNames(
              'flex h-10 w-full items-center gap-2.5 rounded-md text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 data-[state=open]:bg-hover',
              collapsed ? 'justify-center' : 'px-1.5',
            )}
          >
            <span
              aria-hidden="true"
              className="flex size-6 shrink-0 items-center justify-center rounded-md bg-accent-soft font-semibold text-accent-text text-xs"
            >
              {[...name][0]?.toUpperCase()}
            </span>
            <span className={collapsed ? 'sr-only' : 'min-w-0 grow'}>
              <span className="sr-only">Workspace: </span>
              <span className="block truncate font-medium">{name}</span>
              {!personal && (
                <span className="block truncate text-faint text-xs">{WORKSPACE_ROLE_NAMES[role]}</span>
              )}
            </span>
            {!collapsed && <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-faint" />}
          </button>
        }
      >
        <Suspense fallback={<MenuLabel className="text-muted">Loading…</MenuLabel>}>
          <WorkspaceMenu onNew={choose('new')} onNavigate={onNavigate} />
        </Suspense>
      </LateMenu>
      {open === 'new' && <NewWorkspaceDialog onClose={close} />}
    </div>
  );
}
