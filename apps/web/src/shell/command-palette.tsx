import { may } from '@nephos/contracts/constants';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Bell, Layers, LogOut, Moon, Plus, Sparkles, Sun, UserRound } from 'lucide-react';
import * as Dialog from 'radix-ui/dialog';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLogoutPath } from '../lib/use-logout-path.ts';
import { useWorkspace } from '../lib/use-workspace.ts';
import { classNames } from '../ui/class-names.ts';
import { SCRIM_STYLES } from '../ui/dialog.tsx';
import { OVERLAY_STYLES } from '../ui/overlay-styles.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useFocusReturn } from '../ui/use-focus-return.ts';
import { useAskAssistant } from './assistant-context.tsx';
import { Everything, Group, Item, type Run } from './palette-groups.tsx';
import { useTheme } from './theme.tsx';
import { useNavigation } from './use-navigation.ts';
import { type Found, hasWords, type PaletteSearch, usePaletteSearch } from './use-palette-search.ts';

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
          <Palette onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** As high as it is whatever is found, so that nothing moves while one types. */
const LIST_STYLES = 'h-[min(26rem,60vh)] scroll-py-2 overflow-y-auto overscroll-contain p-2';

function Palette({ onDone }: { onDone: () => void }) {
  const [typed, setTyped] = useState('');
  const search = usePaletteSearch(typed);
  const { list, marked, setMarked, setMoved } = useMark(search.found);

  /** Closes first, so that focus is back on the page before it changes. */
  function run(action: () => unknown) {
    onDone();
    action();
  }

  return (
    <Command
      loop
      shouldFilter={false}
      value={marked}
      onValueChange={setMarked}
      onKeyDown={({ key }) => key.startsWith('Arrow') && setMoved(true)}
    >
      <div className="relative border-line border-b">
        <Command.Input
          value={typed}
          onValueChange={(words) => {
            setTyped(words);
            setMoved(false);
          }}
          placeholder="Type a page, a resource or a command…"
          className="h-13 w-full bg-transparent pr-11 pl-4 text-lg text-fg outline-none placeholder:text-faint"
        />
        {search.searching && <Spinner className="absolute top-4.5 right-4 text-faint" />}
      </div>
      <Command.List ref={list} label="Results" className={LIST_STYLES}>
        <Command.Empty className="py-10 text-center text-muted">{emptyWords(search)}</Command.Empty>
        <Pages run={run} words={search.words} />
        <ConsoleCommands run={run} words={search.words} />
        {search.found && <Everything run={run} found={search.found} fitting={search.fitting} />}
      </Command.List>
    </Command>
  );
}

/** The item that Enter chooses: with each answer the first, unless the person went to another one. */
function useMark(found: Found | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState('');
  const [moved, setMoved] = useState(false);
  const markFirst = useEffectEvent(() => {
    if (!moved) setMarked(list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value') ?? '');
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found is what the list shows
  useEffect(() => markFirst(), [found]);
  return { list, marked, setMarked, setMoved };
}

function emptyWords({ words, searching, failed }: PaletteSearch): string {
  if (searching) return 'Searching…';
  return failed ? 'Search failed. Try again in a moment.' : `No results for “${words}”.`;
}

interface GroupProps {
  run: Run;
  words: string;
}

/** An account of the payment gateway is money. */
const needOfCreation = (path: string) => (path === '/payment-gateway' ? 'money' : 'build');

function Pages({ run, words }: GroupProps) {
  const navigate = useNavigate();
  const entries = useNavigation().flatMap((group) => [...group.entries]);
  const { role } = useWorkspace();
  const creations = entries.flatMap((entry) =>
    'create' in entry && hasWords(entry.create.label, words) && may(role, needOfCreation(entry.path))
      ? [{ ...entry.create, path: entry.path }]
      : [],
  );
  const pages = [...entries, ...OTHER_PAGES].filter(({ title }) => hasWords(title, words));
  return (
    <>
      {pages.length > 0 && (
        <Group heading="Go to">
          {pages.map(({ path, title, icon: Icon }) => (
            <Item key={path} value={path} icon={<Icon />} onSelect={() => run(() => navigate({ to: path }))}>
              {title}
            </Item>
          ))}
        </Group>
      )}
      {creations.length > 0 && (
        <Group heading="Create">
          {creations.map(({ path, label }) => (
            <Item
              key={path}
              value={label}
              icon={<Plus />}
              onSelect={() => run(() => navigate({ to: path, search: { new: 1 } }))}
            >
              {label}
            </Item>
          ))}
        </Group>
      )}
    </>
  );
}

const OTHER_PAGES = [
  { path: '/variable-groups', title: 'Variable Groups', icon: Layers },
  { path: '/alerts', title: 'Alerts', icon: Bell },
  { path: '/account', title: 'Account', icon: UserRound },
] as const;

function ConsoleCommands({ run, words }: GroupProps) {
  const { theme, toggleTheme } = useTheme();
  const askAssistant = useAskAssistant();
  const logoutPath = useLogoutPath();
  const commands = [
    { label: 'Ask the assistant', icon: <Sparkles />, act: askAssistant },
    {
      label: theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme',
      icon: theme === 'dark' ? <Sun /> : <Moon />,
      act: toggleTheme,
    },
    { label: 'Log out', icon: <LogOut />, act: () => window.location.assign(logoutPath) },
  ].filter(({ label }) => hasWords(label, words));
  if (commands.length === 0) return null;
  return (
    <Group heading="Console">
      {commands.map(({ label, icon, act }) => (
        <Item key={label} value={label} icon={icon} onSelect={() => run(act)}>
          {label}
        </Item>
      ))}
    </Group>
  );
}
