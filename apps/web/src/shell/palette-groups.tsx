import { useNavigate } from '@tanstack/react-router';
import { Command, useCommandState } from 'cmdk';
import { Database, Download, Landmark, Rocket, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { trpc } from '../lib/trpc.ts';

export interface GroupProps {
  /** Closes the palette, then does what was chosen. */
  run: (action: () => unknown) => void;
}

/** How many mobile apps are offered, the newest: each row carries its generated files. */
const NEWEST = { limit: 20 };

/** What the person owns, by name. */
export function Resources({ run }: GroupProps) {
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
        rows={accounts.data?.map(({ id, accountName: name, accountNumber: also }) => ({ id, name, also }))}
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
export function MarketplaceItems({ run }: GroupProps) {
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

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
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

export function Item({ icon, children, ...props }: ItemProps) {
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
