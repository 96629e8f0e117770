import { PanelLeft, Search } from 'lucide-react';
import { IconButton } from '../ui/icon-button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { HeaderAssistant } from './header-assistant.tsx';
import { shortcutLabel } from './shortcut.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { UserMenu } from './user-menu.tsx';

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
        <HeaderAssistant />
        <ThemeToggle />
        <UserMenu />
      </div>
    </header>
  );
}
