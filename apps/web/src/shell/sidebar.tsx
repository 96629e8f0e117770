import { Link } from '@tanstack/react-router';
import { classNames } from '../ui/class-names.ts';
import { Sheet } from '../ui/sheet.tsx';
import { Logo, LogoMark } from './logo.tsx';
import { SidebarNavigation } from './sidebar-navigation.tsx';
import { SidebarUser } from './sidebar-user.tsx';
import { SIDEBAR_WIDTH } from './widths.ts';

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
      <SidebarNavigation collapsed={collapsed} onNavigate={onNavigate} />
      <SidebarUser collapsed={collapsed} />
    </>
  );
}
