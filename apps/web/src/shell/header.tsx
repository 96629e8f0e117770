import { Link } from '@tanstack/react-router';
import { LogOut, PanelLeft, Search, Sparkles, UserRound } from 'lucide-react';
import { useLogoutPath } from '../lib/use-logout-path.ts';
import { useUser } from '../lib/use-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { AlertBell } from './alert-bell.tsx';
import { useAskAssistant, useAssistant } from './assistant-context.tsx';
import { LateMenu, MenuItem, MenuLabel, MenuSeparator } from './late-menu.tsx';
import { displayName, initials } from './person.ts';
import { shortcutLabel } from './shortcut.ts';
import { ThemeToggle } from './theme.tsx';

export interface HeaderProps {
  sidebarShown: boolean;
  onToggleSidebar: () => void;
  onOpenPalette: () => void;
}

/** The bar above every page. */
export function Header({ sidebarShown, onToggleSidebar, onOpenPalette }: HeaderProps) {
  return (
    <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-2 border-line border-b bg-canvas px-3 sm:px-4">
      <Tooltip content={`Toggle sidebar (${shortcutLabel('B')})`} side="bottom">
        <IconButton label="Toggle sidebar" aria-expanded={sidebarShown} onClick={onToggleSidebar}>
          <PanelLeft />
        </IconButton>
      </Tooltip>
      <button
        type="button"
        onClick={onOpenPalette}
        aria-haspopup="dialog"
        className="flex h-9 min-w-0 items-center gap-2 rounded-md px-2.5 text-faint transition-colors hover:bg-hover hover:text-fg sm:w-72 sm:border sm:border-line-strong sm:bg-surface"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate max-sm:sr-only">Search or jump to…</span>
        <Kbd className="ml-auto max-sm:hidden">{shortcutLabel('K')}</Kbd>
      </button>
      <div className="ml-auto flex items-center gap-1">
        <AlertBell />
        <HeaderAssistant />
        <ThemeToggle />
        <UserMenu />
      </div>
    </header>
  );
}

/** The header's way to the assistant, and back. */
function HeaderAssistant() {
  const { open, close, preload } = useAssistant();
  const ask = useAskAssistant();
  return (
    <Tooltip content="Ask the assistant" side="bottom">
      <IconButton
        label="Ask the assistant"
        aria-expanded={open}
        onClick={open ? close : ask}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <Sparkles />
      </IconButton>
    </Tooltip>
  );
}

/** The user control of the header. */
function UserMenu() {
  const user = useUser();
  const logoutPath = useLogoutPath();
  const name = displayName(user);
  return (
    <LateMenu
      className="w-60"
      button={
        <button
          type="button"
          className="flex size-9 items-center justify-center rounded-full transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <Avatar src={user.profileImageUrl} fallback={initials(user)} className="size-7" />
          <span className="sr-only">Account of {name}</span>
        </button>
      }
    >
      <MenuLabel>
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-faint text-sm">{user.email}</p>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/account">
          <UserRound aria-hidden="true" />
          Account
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href={logoutPath}>
          <LogOut aria-hidden="true" />
          Log out
        </a>
      </MenuItem>
    </LateMenu>
  );
}
