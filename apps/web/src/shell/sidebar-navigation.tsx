import { Link, useLocation } from '@tanstack/react-router';
import { classNames } from '../ui/class-names.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import type { NavigationEntry } from './navigation.ts';
import { currentEntry, type NavigationPath } from './navigation.ts';
import { useNavigation } from './use-navigation.ts';

export interface SidebarNavigationProps {
  collapsed: boolean;
  onNavigate?: (() => void) | undefined;
}

export function SidebarNavigation({ collapsed, onNavigate }: SidebarNavigationProps) {
  const groups = useNavigation();
  const current = useLocation({ select: ({ pathname }) => currentEntry(pathname) });
  return (
    <nav aria-label="Main" className="flex grow flex-col gap-5 overflow-y-auto overflow-x-hidden px-1.5 py-3">
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          {collapsed ? (
            <hr className="mx-1.5 mb-2 border-line border-t [section:first-child>&]:hidden" />
          ) : (
            <h2 className="mb-1.5 px-2.5 font-medium text-faint text-xs">{group.title}</h2>
          )}
          <ul className="flex flex-col gap-0.5">
            {group.entries.map((entry) => (
              <li key={entry.path}>
                <EntryLink
                  entry={entry}
                  current={entry.path === current}
                  collapsed={collapsed}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface EntryLinkProps extends SidebarNavigationProps {
  entry: NavigationEntry & { path: NavigationPath };
  current: boolean;
}

function EntryLink({ entry, current, collapsed, onNavigate }: EntryLinkProps) {
  const Icon = entry.icon;
  return (
    <Tooltip content={entry.title} side="right" disabled={!collapsed}>
      <Link
        to={entry.path}
        onClick={onNavigate}
        aria-current={current ? 'page' : undefined}
        className={classNames(
          'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors focus-visible:-outline-offset-2',
          current ? 'bg-hover text-fg' : 'text-muted hover:bg-hover/60 hover:text-fg',
        )}
      >
        <Icon
          aria-hidden="true"
          className={classNames('size-4 shrink-0', current ? 'text-accent-text' : 'text-faint')}
        />
        <span className={collapsed ? 'sr-only' : 'truncate'}>{entry.title}</span>
      </Link>
    </Tooltip>
  );
}
