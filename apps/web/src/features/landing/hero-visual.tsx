import { Check, ExternalLink, GitBranch } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Window } from './window.tsx';

const LOG = [
  { at: '12:04:07', step: 'clone', text: 'github.com/acme/shop, branch main' },
  { at: '12:04:08', step: 'detect', text: 'Node.js, npm' },
  { at: '12:04:08', step: 'install', text: 'npm ci' },
  { at: '12:04:15', step: 'build', text: 'npm run build' },
  { at: '12:04:19', step: 'start', text: 'npm start' },
  { at: '12:04:20', step: 'health', text: 'The new version responds' },
  { at: '12:04:20', step: 'switch', text: '8b21d4a replaces 3f9c1e2' },
];

const HISTORY = [
  { commit: '8b21d4a', message: 'Show stock per size', status: 'Running', tone: 'success' },
  { commit: 'c07e5b9', message: 'Upgrade the cart', status: 'Failed', tone: 'danger' },
  { commit: '3f9c1e2', message: 'Add search', status: 'Stopped', tone: 'neutral' },
] as const;

/** From a branch to an address that answers, as the product shows it. */
export function HeroVisual() {
  return (
    <figure className="min-w-0">
      <figcaption className="sr-only">
        The main branch is cloned, built, started and checked in thirteen seconds. The console shows the new
        version running at its URL, and an earlier deployment that failed without replacing anything.
      </figcaption>
      <div aria-hidden="true" className="flex flex-col">
        <Window title="shop · deployment log" className="sm:mr-16">
          <Log />
        </Window>
        <div className="relative rounded-xl border border-line-strong bg-raised p-5 shadow-overlay max-sm:-mt-6 max-sm:ml-6 sm:-mt-24 sm:ml-auto sm:w-88">
          <ProjectPreview />
        </div>
      </div>
    </figure>
  );
}

function Log() {
  return (
    <div className="overflow-hidden p-5 font-mono text-sm leading-7 sm:p-6">
      {LOG.map(({ at, step, text }) => (
        <p key={step} className="flex gap-4 whitespace-nowrap">
          <span className="text-faint max-sm:hidden">{at}</span>
          <span className="w-16 shrink-0 text-accent-text">{step}</span>
          <span className="truncate text-muted">{text}</span>
        </p>
      ))}
      <p className="mt-4 mb-4 flex items-center gap-2 text-success sm:mb-20">
        <Check className="size-4" />
        Live after 13 s
      </p>
    </div>
  );
}

function ProjectPreview() {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold text-lg">shop</p>
          <p className="mt-1 flex items-center gap-1.5 text-muted text-sm">
            <GitBranch className="size-3.5" />
            main
          </p>
        </div>
        <Badge tone="success">Active</Badge>
      </div>
      <p className="mt-4 flex h-9 items-center gap-2 rounded-md border border-line bg-sunken px-3 font-mono text-muted text-sm">
        <span className="truncate">shop.example.com</span>
        <ExternalLink className="ml-auto size-3.5 shrink-0 text-faint" />
      </p>
      <ul className="mt-4 divide-y divide-line border-line border-t">
        {HISTORY.map(({ commit, message, status, tone }) => (
          <li key={commit} className="flex items-center gap-3 py-2.5 text-sm last:pb-0">
            <span className="font-mono text-faint">{commit}</span>
            <span className="truncate text-muted">{message}</span>
            <Badge tone={tone} className="ml-auto">
              {status}
            </Badge>
          </li>
        ))}
      </ul>
    </>
  );
}
