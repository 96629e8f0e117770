import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { LogOut, Moon, Plus, Sparkles, Sun, UserRound } from 'lucide-react';
import * as Dialog from 'radix-ui/dialog';
import { LOGOUT_PATH } from '../lib/account-paths.ts';
import { useUser } from '../lib/use-user.ts';
import { classNames } from '../ui/class-names.ts';
import { SCRIM_STYLES } from '../ui/dialog.tsx';
import { OVERLAY_STYLES } from '../ui/overlay-styles.ts';
import { useFocusReturn } from '../ui/use-focus-return.ts';
import { useAskAssistant } from './assistant-context.tsx';
import { navigationFor } from './navigation.ts';
import { Group, type GroupProps, Item, MarketplaceItems, Resources } from './palette-groups.tsx';
import { useTheme } from './theme.tsx';

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Go to a page, create a thing, find a resource: all by typing. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={SCRIM_STYLES} />
        <Dialog.Content
          aria-describedby={undefined}
          {...useFocusReturn()}
          className={classNames(
            OVERLAY_STYLES,
            'fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl animate-fade-in outline-none',
          )}
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command loop>
            <Command.Input
              placeholder="Type a page, a project or a command…"
              className="h-13 w-full border-line border-b bg-transparent px-4 text-lg text-fg outline-none placeholder:text-faint"
            />
            <Command.List
              label="Results"
              className="max-h-[min(30rem,65vh)] scroll-py-2 overflow-y-auto overscroll-contain p-2"
            >
              <Command.Empty className="py-10 text-center text-muted">Nothing found.</Command.Empty>
              <Commands onDone={() => onOpenChange(false)} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ onDone }: { onDone: () => void }) {
  /** Closes first, so that focus is back on the page before it changes. */
  function run(action: () => unknown) {
    onDone();
    action();
  }

  return (
    <>
      <Pages run={run} />
      <Resources run={run} />
      <MarketplaceItems run={run} />
      <ConsoleCommands run={run} />
    </>
  );
}

function Pages({ run }: GroupProps) {
  const navigate = useNavigate();
  const entries = navigationFor(useUser().role).flatMap((group) => [...group.entries]);
  return (
    <>
      <Group heading="Create">
        {entries.map(
          (entry) =>
            'create' in entry && (
              <Item
                key={entry.path}
                icon={<Plus />}
                onSelect={() => run(() => navigate({ to: entry.path, search: { new: 1 } }))}
              >
                {entry.create.label}
              </Item>
            ),
        )}
      </Group>
      <Group heading="Go to">
        {entries.map(({ path, title, icon: Icon }) => (
          <Item key={path} icon={<Icon />} onSelect={() => run(() => navigate({ to: path }))}>
            {title}
          </Item>
        ))}
        <Item icon={<UserRound />} onSelect={() => run(() => navigate({ to: '/account' }))}>
          Account
        </Item>
      </Group>
    </>
  );
}

function ConsoleCommands({ run }: GroupProps) {
  const { theme, toggleTheme } = useTheme();
  const askAssistant = useAskAssistant();
  return (
    <Group heading="Console">
      <Item icon={<Sparkles />} onSelect={() => run(askAssistant)}>
        Ask the assistant
      </Item>
      <Item icon={theme === 'dark' ? <Sun /> : <Moon />} onSelect={() => run(toggleTheme)}>
        {theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'}
      </Item>
      <Item icon={<LogOut />} onSelect={() => run(() => window.location.assign(LOGOUT_PATH))}>
        Log out
      </Item>
    </Group>
  );
}
