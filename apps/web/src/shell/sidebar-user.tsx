import { LogOut } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import { buttonStyles } from '../ui/button-styles.ts';
import { classNames } from '../ui/class-names.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { LOGOUT_PATH } from './account-paths.ts';
import { displayName, initials } from './person.ts';
import { useUser } from './use-user.ts';

/** Who is signed in, and the way out. */
export function SidebarUser({ collapsed }: { collapsed: boolean }) {
  const user = useUser();
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
          href={LOGOUT_PATH}
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
