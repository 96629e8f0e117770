import { useNavigate } from '@tanstack/react-router';
import { Command, useCommandState } from 'cmdk';
import {
  Database,
  Download,
  Landmark,
  LogOut,
  Moon,
  Plus,
  Rocket,
  Smartphone,
  Sparkles,
  Sun,
  UserRound,
} from 'lucide-react';
import * as Dialog from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { trpc } from '../trpc.ts';
import { classNames } from '../ui/class-names.ts';
import { SCRIM_STYLES } from '../ui/dialog.tsx';
import { OVERLAY_STYLES } from '../ui/overlay-styles.ts';
import { useFocusReturn } from '../ui/use-focus-return.ts';
import { LOGOUT_PATH } from './account-paths.ts';
import { navigationFor } from './navigation.ts';
import { useTheme } from './theme.ts';
import { useAskAssistant } from './use-ask-assistant.ts';
import { useUser } from './use-user.ts';

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
  const navigate = useNavigate();
  const user = useUser();
  const { theme, toggleTheme } = useTheme();
  const askAssistant = useAskAssistant();
  const entries = navigationFor(user.role).flatMap((group) => [...group.entries]);

  /** Closes first, so that focus is back on the page before it changes. */
  function run(action: () => unknown) {
    onDone();
    action();
  }

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
      <Resources run={run} />
      <MarketplaceItems run={run} />
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
    </>
  );
}

/** Of mobile apps, the newest alone: each row carries its generated files. */
const NEWEST = { limit: 20 };

/** What the person owns, by name. */
function Resources({ run }: { run: (action: () => unknown) => void }) {
  const navigate = useNavigate();
  const projects = trpc.projects.list.useQuery();
  const databases = trpc.databases.list.useQuery();
  const mobileApps = trpc.mobileApps.list.useQuery(NEWEST);
  const accounts = trpc.paymentGateway.virtualAccounts.useQuery();
  return (
    <>
      <ResourceGroup
        heading="Projects"
        icon={<Rocket />}
        rows={projects.data?.map(({ id, name, slug }) => ({ id, name, also: slug }))}
        onOpen={(id) => run(() => navigate({ to: '/projects/$projectId', params: { projectId: id } }))}
      />
      <ResourceGroup
        heading="Databases"
        icon={<Database />}
        rows={databases.data}
        onOpen={(id) => run(() => navigate({ to: '/databases/$databaseId', params: { databaseId: id } }))}
      />
      <ResourceGroup
        heading="Mobile apps"
        icon={<Smartphone />}
        rows={mobileApps.data?.map(({ id, name, bundleId }) => ({ id, name, also: bundleId }))}
        onOpen={(id) => run(() => navigate({ to: '/mobile-apps', search: { config: id } }))}
      />
      <ResourceGroup
        heading="Virtual accounts"
        icon={<Landmark />}
        rows={accounts.data?.map(({ id, accountName, accountNumber }) => ({
          id,
          name: accountName,
          also: accountNumber,
        }))}
        onOpen={(id) =>
          run(() => navigate({ to: '/payment-gateway/accounts/$accountId', params: { accountId: id } }))
        }
      />
    </>
  );
}

interface Resource {
  id: string;
  name: string;
  /** What else it is found by. */
  also?: string;
}

interface ResourceGroupProps {
  heading: string;
  icon: ReactNode;
  /** Undefined until they are there. */
  rows: readonly Resource[] | undefined;
  onOpen: (id: string) => void;
}

function ResourceGroup({ heading, icon, rows = [], onOpen }: ResourceGroupProps) {
  if (rows.length === 0) return null;
  return (
    <Group heading={heading}>
      {rows.map(({ id, name, also = '' }) => (
        <Item key={id} value={id} keywords={[name, also]} icon={icon} onSelect={() => onOpen(id)}>
          {name}
        </Item>
      ))}
    </Group>
  );
}

/** What the marketplace could install; too much to show to someone who has not typed anything. */
function MarketplaceItems({ run }: { run: (action: () => unknown) => void }) {
  const navigate = useNavigate();
  const typed = useCommandState(({ search }) => search !== '');
  const items = trpc.marketplace.list.useQuery();
  if (!typed || !items.data) return null;
  return (
    <Group heading="Marketplace">
      {items.data.map(({ id, name }) => (
        <Item
          key={id}
          // Said, since what is not drawn yet has no text to be found by.
          value={`Install ${name}`}
          icon={<Download />}
          onSelect={() => run(() => navigate({ to: '/marketplace', search: { install: id } }))}
        >
          Install {name}
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon: ReactNode;
  value?: string;
  keywords?: string[];
  onSelect: () => void;
  children: ReactNode;
}

function Item({ icon, children, ...props }: ItemProps) {
  return (
    <Command.Item
      {...props}
      className="flex min-h-9 cursor-default select-none items-center gap-3 rounded-md px-2 text-fg data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
    >
      {icon}
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}
