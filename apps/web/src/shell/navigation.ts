import {
  Boxes,
  CreditCard,
  Database,
  Globe,
  HardDrive,
  Landmark,
  type LucideIcon,
  Rocket,
  ShieldCheck,
  Smartphone,
  Store,
} from 'lucide-react';

/** What the command palette can start on a page; the page opens its dialog on `?new=1`. */
interface Creation {
  label: string;
}

export interface NavigationEntry {
  path: string;
  title: string;
  icon: LucideIcon;
  create?: Creation;
}

export interface NavigationGroup {
  title: string;
  adminOnly: boolean;
  entries: readonly NavigationEntry[];
}

/** The console's pages in the order of the sidebar, for sidebar and palette alike. */
export const NAVIGATION = [
  {
    title: 'Services',
    adminOnly: false,
    entries: [
      { path: '/deployments', title: 'Deployments', icon: Rocket, create: { label: 'New Project' } },
      { path: '/containers', title: 'Container Registry', icon: Boxes, create: { label: 'Register Image' } },
      { path: '/databases', title: 'Databases', icon: Database, create: { label: 'New Database' } },
      { path: '/storage', title: 'Storage', icon: HardDrive, create: { label: 'Upload File' } },
      { path: '/dns', title: 'DNS', icon: Globe, create: { label: 'Add Record' } },
      {
        path: '/mobile-apps',
        title: 'Mobile Apps',
        icon: Smartphone,
        create: { label: 'New Mobile App' },
      },
      {
        path: '/payment-gateway',
        title: 'Payment Gateway',
        icon: Landmark,
        create: { label: 'Create Virtual Account' },
      },
      { path: '/marketplace', title: 'Marketplace', icon: Store },
      { path: '/billing', title: 'Billing', icon: CreditCard },
    ],
  },
  {
    title: 'Administration',
    adminOnly: true,
    entries: [{ path: '/admin', title: 'Admin Dashboard', icon: ShieldCheck }],
  },
] as const satisfies readonly NavigationGroup[];

export type NavigationPath = (typeof NAVIGATION)[number]['entries'][number]['path'];

/** Pages outside the sidebar. */
const OTHER_PAGES = [
  ...['/account', '/activity', '/alerts', '/projects', '/variable-groups', '/welcome', '/workspace'],
];

const PAGES: readonly string[] = [
  ...NAVIGATION.flatMap((group) => group.entries.map((entry) => entry.path)),
  ...OTHER_PAGES,
];

/** The groups that a person of this role may open. Where nothing is sold, the page of plans shows usage alone. */
export function navigationFor(role: 'admin' | 'member', { billing }: { billing: boolean }) {
  return NAVIGATION.filter((group) => role === 'admin' || !group.adminOnly).map((group) => ({
    ...group,
    entries: group.entries.map((entry) =>
      entry.path === '/billing' && !billing ? { ...entry, title: 'Usage' } : entry,
    ),
  }));
}

/** Whether a path, below `/`, belongs to the console: one of its pages or something within one. */
export function isConsolePage(path: string): boolean {
  return PAGES.some((page) => path === page || path.startsWith(`${page}/`));
}

/** The sidebar's entry for a path: `/` and the projects' own pages belong to Deployments. */
export function currentEntry(path: string): string | undefined {
  if (path === '/' || /^\/(projects|variable-groups)(\/|$)/.test(path)) return '/deployments';
  return PAGES.find((page) => path === page || path.startsWith(`${page}/`));
}
