import { Outlet } from '@tanstack/react-router';
import { lazy, useRef, useState } from 'react';
import { useUser } from '../lib/use-user.ts';
import { TooltipHost } from '../ui/tooltip.tsx';
import { useFocusHeld } from '../ui/use-focus-held.ts';
import { AssistantProvider, useAssistant } from './assistant-context.tsx';
import { AssistantPlace, type AssistantPlaceProps } from './assistant-place.tsx';
import { Header } from './header.tsx';
import { LatePart } from './late-part.tsx';
import { ServerBanner } from './server-banner.tsx';
import { useShortcut } from './shortcut.ts';
import { Sidebar } from './sidebar.tsx';
import { useGoneWorkspace } from './use-gone-workspace.ts';
import { useSidebar } from './use-sidebar.ts';

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then(({ CommandPalette }) => ({ default: CommandPalette })),
);
const ImpersonationBanner = lazy(() =>
  import('./impersonation-banner.tsx').then((part) => ({ default: part.ImpersonationBanner })),
);

export interface ShellProps extends Pick<AssistantPlaceProps, 'Panel'> {
  /** Fetches the assistant's panel ahead of its first opening. */
  preloadPanel: () => void;
}

/** What is around every page of the console. */
export function Shell({ Panel, preloadPanel }: ShellProps) {
  return (
    <AssistantProvider preload={preloadPanel}>
      <Frame Panel={Panel} />
      <TooltipHost />
    </AssistantProvider>
  );
}

function Frame({ Panel }: Pick<ShellProps, 'Panel'>) {
  const { open } = useAssistant();
  const sidebar = useSidebar({ panelOpen: open });
  const palette = usePalette();
  const user = useUser();
  const content = useRef<HTMLElement>(null);
  useFocusHeld(content);
  useGoneWorkspace();
  return (
    <>
      <SkipLink />
      <div className="flex min-h-dvh">
        <Sidebar
          mobile={sidebar.mobile}
          expanded={sidebar.expanded}
          drawerOpen={sidebar.drawerOpen}
          onDrawerOpenChange={sidebar.setDrawerOpen}
        />
        <div className="flex min-w-0 grow flex-col">
          <Header
            sidebarShown={sidebar.mobile ? sidebar.drawerOpen : sidebar.expanded}
            onToggleSidebar={sidebar.toggle}
            onOpenPalette={() => palette.setOpen(true)}
          />
          <ServerBanner />
          {user.impersonator && (
            <LatePart wanted>
              <ImpersonationBanner email={user.email} impersonator={user.impersonator} />
            </LatePart>
          )}
          <main
            ref={content}
            id="main"
            tabIndex={-1}
            className="@container/page mx-auto w-full max-w-6xl grow px-4 py-8 outline-none sm:px-8"
          >
            <Outlet />
          </main>
        </div>
        <AssistantPlace Panel={Panel} beside={sidebar.panelBeside} />
      </div>
      {palette.wanted && (
        <LatePart wanted={palette.open} onSaid={() => palette.setOpen(false)}>
          <CommandPalette open={palette.open} onOpenChange={palette.setOpen} />
        </LatePart>
      )}
    </>
  );
}

/** The palette is loaded when it is opened first, and stays. */
function usePalette() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  useShortcut('k', () => setOpen(!open && !isAsking()));
  return { open, setOpen, wanted };
}

/** Whether a dialog is open: the palette would lead away from it, and what was typed into it would be lost. */
function isAsking(): boolean {
  return document.querySelector(':is([role="dialog"], [role="alertdialog"])[data-state="open"]') !== null;
}

function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md border border-line-strong bg-raised px-4 py-2 font-medium focus-visible:translate-y-0"
    >
      Skip to content
    </a>
  );
}
