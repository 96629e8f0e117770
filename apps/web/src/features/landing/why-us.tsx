import type { Welcome } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Section } from './section.tsx';

const DATABASE_CLIENTS: Readonly<Record<Welcome['databases'][number], string>> = {
  postgresql: 'psql',
  mysql: 'mysql',
  mongodb: 'mongosh',
  redis: 'redis-cli',
};

/** Programs that work with what this server has. */
function clientsOf({ databases, dns }: Welcome): string[] {
  return [
    ...['git', 'docker', 'skopeo'],
    ...databases.map((type) => DATABASE_CLIENTS[type]),
    ...(dns ? ['dig'] : []),
    'curl',
  ];
}

export function WhyUs({ welcome }: { welcome: Welcome }) {
  return (
    <Section
      id="why"
      eyebrow="Why Nephos"
      title="A managed platform on your own machines"
      lead="No cluster to set up before your first deploy, and no bill that grows with your traffic."
    >
      <ul className="divide-y divide-line border-line border-y">
        <Reason
          title="A failed deploy changes nothing"
          text="The running version keeps serving until the new one passes its health check. If a deploy fails, your visitors don't notice."
        >
          <Releases />
        </Reason>
        <Reason
          title="Your tools, no lock-in"
          text="Images, databases and DNS speak standard protocols, apps come from Git, and the whole console has an HTTP API."
        >
          <Clients names={clientsOf(welcome)} />
        </Reason>
        <Reason
          title="Up and running with one command"
          text="All it needs is Node.js, npm and Git. The database, proxy, image registry and name server are built in, and you can bring your own PostgreSQL."
        >
          <div className="rounded-lg border border-line-strong bg-sunken px-5 py-4 font-mono text-sm leading-7">
            <p>
              <span className="text-faint">$ </span>npm start
            </p>
            <p className="truncate text-success">Nephos is ready at http://localhost:3000</p>
          </div>
        </Reason>
      </ul>
    </Section>
  );
}

interface ReasonProps {
  title: string;
  text: string;
  /** A small picture of it. */
  children: ReactNode;
}

function Reason({ title, text, children }: ReasonProps) {
  return (
    <li className="grid items-center gap-x-16 gap-y-6 py-10 md:grid-cols-2">
      <div>
        <h3 className="text-xl tracking-tight">{title}</h3>
        <p className="mt-3 max-w-lg text-lg text-muted">{text}</p>
      </div>
      <div aria-hidden="true" className="min-w-0">
        {children}
      </div>
    </li>
  );
}

function Clients({ names }: { names: readonly string[] }) {
  return (
    <div className="flex flex-wrap gap-2">
      {names.map((name) => (
        <span
          key={name}
          className="rounded-md border border-line-strong bg-surface px-3 py-1.5 font-mono text-muted text-sm"
        >
          {name}
        </span>
      ))}
    </div>
  );
}

/** A failed release beside the one that went on serving. */
function Releases() {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="flex items-center gap-4">
        <span className="w-8 font-mono text-faint">v41</span>
        <span className="h-2 grow rounded-full bg-accent" />
        <Badge tone="success">Running</Badge>
      </p>
      <p className="flex items-center gap-4">
        <span className="w-8 font-mono text-faint">v42</span>
        <span className="flex grow">
          <span className="w-2/5" />
          <span className="h-2 w-1/4 rounded-full bg-line-strong" />
        </span>
        <Badge tone="danger">Failed</Badge>
      </p>
    </div>
  );
}
