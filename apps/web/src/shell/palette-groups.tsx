import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Boxes, Database, Download, File, Globe, Landmark, Rocket, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Found, type PaletteSearch, textOfAccount } from './use-palette-search.ts';

/** Closes the palette, then does what was chosen. */
export type Run = (action: () => unknown) => void;

interface ResourcesProps extends Pick<PaletteSearch, 'fitting'> {
  run: Run;
  found: Found;
}

/** What was found, kind by kind. */
export function Everything(props: ResourcesProps) {
  return (
    <>
      <Resources {...props} />
      <DnsResources {...props} />
      <OtherResources {...props} />
    </>
  );
}

/** What the person owns and is deployed or stored here. */
function Resources({ run, found, fitting }: ResourcesProps) {
  const navigate = useNavigate();
  return (
    <>
      <ResourceGroup heading="Projects" icon={<Rocket />}>
        {fitting(found.projects, ({ name, slug }) => `${name} ${slug}`).map(({ id, name, slug }) => ({
          ...{ id, name, also: slug },
          open: () => run(() => navigate({ to: '/projects/$projectId', params: { projectId: id } })),
        }))}
      </ResourceGroup>
      <ResourceGroup heading="Databases" icon={<Database />}>
        {fitting(found.databases, ({ name }) => name).map(({ id, name, type }) => ({
          ...{ id, name, also: type },
          open: () => run(() => navigate({ to: '/databases/$databaseId', params: { databaseId: id } })),
        }))}
      </ResourceGroup>
      <ResourceGroup heading="Files" icon={<File />}>
        {fitting(found.files, ({ filePath, fileName }) => filePath + fileName).map(
          ({ id, fileName: name, filePath: also }) => ({
            ...{ id, name, also },
            open: () => run(() => navigate({ to: '/storage', search: { q: name } })),
          }),
        )}
      </ResourceGroup>
      <ResourceGroup heading="Container images" icon={<Boxes />}>
        {fitting(found.images, ({ name, tag }) => `${name}:${tag}`).map(({ id, name, tag }) => ({
          ...{ id, name: `${name}:${tag}` },
          open: () => run(() => navigate({ to: '/containers/$imageId', params: { imageId: id } })),
        }))}
      </ResourceGroup>
    </>
  );
}

/** Domains, and single records in them. */
function DnsResources({ run, found, fitting }: ResourcesProps) {
  const navigate = useNavigate();
  return (
    <>
      <ResourceGroup heading="Domains" icon={<Globe />}>
        {fitting(found.domains, ({ domain }) => domain).map(({ domain }) => ({
          ...{ id: domain, name: domain },
          open: () => run(() => navigate({ to: '/dns', search: { domain } })),
        }))}
      </ResourceGroup>
      <ResourceGroup heading="DNS records" icon={<Globe />}>
        {fitting(found.records, (record) => `${fullName(record)} ${record.value}`).map((record) => ({
          ...{ id: record.id, name: fullName(record), also: `${record.recordType} ${record.value}` },
          open: () => run(() => navigate({ to: '/dns', search: { domain: record.domain, q: record.value } })),
        }))}
      </ResourceGroup>
    </>
  );
}

/** What else the person has, and what the marketplace could install. */
function OtherResources({ run, found, fitting }: ResourcesProps) {
  const navigate = useNavigate();
  return (
    <>
      <ResourceGroup heading="Mobile apps" icon={<Smartphone />}>
        {fitting(found.mobileApps, ({ name, bundleId }) => `${name} ${bundleId}`).map(
          ({ id, name, bundleId: also }) => ({
            ...{ id, name, also },
            open: () => run(() => navigate({ to: '/mobile-apps', search: { config: id, q: also } })),
          }),
        )}
      </ResourceGroup>
      <ResourceGroup heading="Virtual accounts" icon={<Landmark />}>
        {fitting(found.accounts, textOfAccount).map(({ id, accountName: name, accountNumber: also }) => ({
          ...{ id, name, also },
          open: () =>
            run(() => navigate({ to: '/payment-gateway/accounts/$accountId', params: { accountId: id } })),
        }))}
      </ResourceGroup>
      <ResourceGroup heading="Marketplace" icon={<Download />}>
        {fitting(found.items, ({ name }) => `Install ${name}`).map(({ id, name }) => ({
          ...{ id, name: `Install ${name}` },
          open: () => run(() => navigate({ to: '/marketplace', search: { install: id } })),
        }))}
      </ResourceGroup>
    </>
  );
}

interface DnsName {
  domain: string;
  name: string;
}

function fullName({ domain, name }: DnsName): string {
  return name === '@' ? domain : `${name}.${domain}`;
}

interface Resource {
  id: string;
  name: string;
  /** What tells it from others of the same name. */
  also?: string;
  open: () => void;
}

interface ResourceGroupProps {
  heading: string;
  icon: ReactNode;
  children: readonly Resource[];
}

function ResourceGroup({ heading, icon, children }: ResourceGroupProps) {
  if (children.length === 0) return null;
  return (
    <Group heading={heading}>
      {children.map(({ id, name, also, open }) => (
        <Item key={id} value={`${heading} ${id}`} icon={icon} also={also} onSelect={open}>
          {name}
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
  also?: string | undefined;
  onSelect: () => void;
  children: ReactNode;
}

export function Item({ icon, also, children, ...props }: ItemProps) {
  return (
    <Command.Item
      {...props}
      // Told of, and no part of the name.
      aria-description={also}
      className="flex min-h-9 cursor-default select-none items-center gap-3 rounded-md px-2 text-fg data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
    >
      {icon}
      <span className="truncate">{children}</span>
      {also && also !== children && (
        <span aria-hidden="true" className="ml-auto max-w-1/2 shrink-0 truncate text-faint text-sm">
          {also}
        </span>
      )}
    </Command.Item>
  );
}
