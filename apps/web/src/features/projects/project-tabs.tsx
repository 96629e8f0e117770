import { Link } from '@tanstack/react-router';

const TABS = [
  { to: '/projects/$projectId', label: 'Deployments', exact: true },
  { to: '/projects/$projectId/log', label: 'Log', exact: false },
  { to: '/projects/$projectId/environment', label: 'Environment', exact: false },
  { to: '/projects/$projectId/settings', label: 'Settings', exact: false },
] as const;

/** The pages of a project. Links and not tabs, so that each has an address of its own. */
export function ProjectTabs({ projectId }: { projectId: string }) {
  return (
    <nav aria-label="Project" className="flex overflow-x-auto sm:gap-1 border-line border-b">
      {TABS.map(({ to, label, exact }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId }}
          activeOptions={{ exact, includeSearch: false }}
          className="inline-flex h-10 shrink-0 items-center border-transparent border-b-2 px-2 font-medium text-muted transition-colors sm:px-3 hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-accent-text aria-[current=page]:text-fg"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
