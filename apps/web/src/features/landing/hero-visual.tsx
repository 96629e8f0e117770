import { GitBranch, Lock } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Window } from './window.tsx';

const LOG = [
  { at: '12:04:07', step: 'clone', text: 'acme/storefront at 8b21d4a' },
  { at: '12:04:08', step: 'detect', text: 'Node.js 24, pnpm-lock.yaml' },
  { at: '12:04:08', step: 'install', text: '412 packages in 6.1 s' },
  { at: '12:04:15', step: 'build', text: '286 modules in 3.2 s' },
  { at: '12:04:19', step: 'start', text: 'node server.js' },
  { at: '12:04:20', step: 'health', text: 'GET /healthz 200 in 12 ms' },
  { at: '12:04:20', step: 'switch', text: '3f9c1e2 → 8b21d4a' },
];

const HISTORY = [
  { commit: '8b21d4a', message: 'Show stock per size', status: 'Running', tone: 'success' },
  { commit: 'c07e5b9', message: 'Upgrade the cart', status: 'Failed', tone: 'danger' },
] as const;

/** Requests a minute, newest last; the dip that does not come is the point. */
const TRAFFIC = [38, 41, 39, 44, 47, 43, 49, 52, 50, 55, 53, 58, 61, 57, 63, 66, 64, 70, 68, 74];

/** From a push to an address that answers, as the product shows it. */
export function HeroVisual() {
  return (
    <figure className="min-w-0">
      <figcaption className="sr-only">
        A push to the main branch is cloned, built, started and checked in thirteen seconds; the console shows
        the new version running at its address.
      </figcaption>
      <div aria-hidden="true" className="flex flex-col">
        <Window title="storefront" className="sm:mr-16">
          <Terminal />
        </Window>
        <div className="relative rounded-xl border border-line-strong bg-raised p-5 shadow-overlay max-sm:-mt-6 max-sm:ml-6 sm:-mt-28 sm:ml-auto sm:w-88">
          <ProjectPreview />
        </div>
      </div>
    </figure>
  );
}

function Terminal() {
  return (
    <div className="overflow-hidden p-5 font-mono text-sm leading-6 sm:p-6">
      <p>
        <span className="text-faint">$ </span>git push origin main
      </p>
      <p className="truncate text-faint">{'   '}3f9c1e2..8b21d4a main -&gt; main</p>
      <div className="mt-4">
        {LOG.map(({ at, step, text }) => (
          <p key={step} className="flex gap-4 whitespace-nowrap">
            <span className="text-faint max-sm:hidden">{at}</span>
            <span className="w-16 shrink-0 text-accent-text">{step}</span>
            <span className="truncate text-muted">{text}</span>
          </p>
        ))}
      </div>
      <p className="mt-4 mb-4 text-success sm:mb-16">✓ Live after 13 s</p>
    </div>
  );
}

function ProjectPreview() {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold text-lg">storefront</p>
          <p className="mt-1 flex items-center gap-1.5 text-muted text-sm">
            <GitBranch className="size-3.5" />
            main
          </p>
        </div>
        <Badge tone="success">Active</Badge>
      </div>
      <p className="mt-4 flex h-9 items-center gap-2 rounded-md border border-line bg-sunken px-3 font-mono text-muted text-sm">
        <Lock className="size-3.5 shrink-0 text-faint" />
        <span className="truncate">storefront.acme.example</span>
        <span className="ml-auto text-success">200</span>
      </p>
      <Sparkline />
      <ul className="mt-4 divide-y divide-line border-line border-t">
        {HISTORY.map(({ commit, message, status, tone }) => (
          <li key={commit} className="flex items-center gap-3 py-2.5 text-sm">
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

const CHART = { width: 320, height: 56 };

function Sparkline() {
  const top = Math.max(...TRAFFIC);
  const points = TRAFFIC.map((value, index) => {
    const x = (index / (TRAFFIC.length - 1)) * CHART.width;
    const y = CHART.height - 4 - ((value - 30) / (top - 30)) * (CHART.height - 8);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  }).join(' ');
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      preserveAspectRatio="none"
      className="mt-4 h-14 w-full"
    >
      <polygon
        points={`0,${CHART.height} ${points} ${CHART.width},${CHART.height}`}
        className="fill-accent-soft"
      />
      <polyline
        points={points}
        fill="none"
        vectorEffect="non-scaling-stroke"
        strokeWidth="1.5"
        className="stroke-accent-text"
      />
    </svg>
  );
}
