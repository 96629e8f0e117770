import { Link } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useLogoutPath } from '../lib/use-logout-path.ts';
import { useUser } from '../lib/use-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { buttonStyles } from '../ui/button-styles.ts';
import { classNames } from '../ui/class-names.ts';
import { Sheet } from '../ui/sheet.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Logo, LogoMark } from './logo.tsx';
import { displayName, initials } from './person.ts';
import { SidebarNavigation } from './sidebar-navigation.tsx';
import { SIDEBAR_WIDTH } from './widths.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const rem = (pixels: number) => `${pixels / 16}rem`;

export interface SidebarProps {
  mobile: boolean;
  expanded: boolean;
  drawerOpen: boolean;
  onDrawerOpenChange: (open: boolean) => void;
}

/** The column at the left; icons alone when collapsed, a drawer on narrow windows. */
export function Sidebar({ mobile, expanded, drawerOpen, onDrawerOpenChange }: SidebarProps) {
  if (mobile) {
    return (
      <Sheet
        open={drawerOpen}
        onOpenChange={onDrawerOpenChange}
        title="Menu"
        side="left"
        width={rem(SIDEBAR_WIDTH.drawer)}
      >
        <SidebarContent collapsed={false} onNavigate={() => onDrawerOpenChange(false)} />
      </Sheet>
    );
  }
  return (
    <aside
      aria-label="Sidebar"
      data-state={expanded ? 'expanded' : 'collapsed'}
      style={{ width: rem(expanded ? SIDEBAR_WIDTH.expanded : SIDEBAR_WIDTH.collapsed) }}
      className="sticky top-0 flex h-dvh shrink-0 flex-col overflow-hidden border-line border-r bg-surface transition-[width]"
    >
      <SidebarContent collapsed={!expanded} />
    </aside>
  );
}

interface SidebarContentProps {
  collapsed: boolean;
  onNavigate?: () => void;
}

function SidebarContent({ collapsed, onNavigate }: SidebarContentProps) {
  return (
    <>
      <div className={classNames('flex h-14 shrink-0 items-center', collapsed ? 'justify-center' : 'px-4')}>
        <Link to="/" aria-label="Nephos" onClick={onNavigate} className="rounded-md">
          {collapsed ? <LogoMark /> : <Logo />}
        </Link>
      </div>
      <WorkspaceSwitcher collapsed={collapsed} onNavigate={onNavigate} />
      <SidebarNavigation collapsed={collapsed} onNavigate={onNavigate} />
      <SidebarUser collapsed={collapsed} />
    </>
  );
}

/** Who is signed in, and the way out. */
function SidebarUser({ collapsed }: { collapsed: boolean }) {
  const user = useUser();
  const logoutPath = useLogoutPath();
  const name = displayName(user);
  return (
    <div
      className={classNames(
        'flex shrink-0 flex-col gap-3 border-line border-t py-3',
        collapsed ? 'items-center px-1.5' : 'px-3',
      )}
    >
      <Tooltip content={name} side="right" disabled={!collapsed}>
        <div className="flex min-w-0 items-center gap-2.5">
          <Avatar src={user.profileImageUrl} fallback={initials(user)} />
          <div className={collapsed ? 'sr-only' : 'min-w-0'}>
            <p className="truncate font-medium">{name}</p>
            <p className="truncate text-faint text-sm">{user.email}</p>
          </div>
        </div>
      </Tooltip>
      <Tooltip content="Log out" side="right" disabled={!collapsed}>
        <a
          href={logoutPath}
          className={
            collapsed
              ? 'inline-flex size-9 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-fg'
              : buttonStyles({ size: 'sm', className: 'w-full' })
          }
        >
          <LogOut aria-hidden="true" className="size-4" />
          <span className={collapsed ? 'sr-only' : undefined}>Log out</span>
        </a>
      </Tooltip>
    </div>
  );
}
