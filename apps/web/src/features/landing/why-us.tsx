import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Section } from './section.tsx';

const CLIENTS = ['git', 'docker', 'psql', 'mysql', 'dig', 's3cmd', 'curl'];

export function WhyUs() {
  return (
    <Section
      id="why"
      eyebrow="Why Nephos"
      title="The comfort of a platform, on machines that are yours"
      lead="No cluster to learn before the first deploy, and no invoice that grows with your traffic."
    >
      <ul className="divide-y divide-line border-line border-y">
        <Reason
          title="A bad deploy changes nothing"
          text="The version that works keeps serving until the next one has answered its health check. If it never does, nobody notices but you."
        >
          <Releases />
        </Reason>
        <Reason
          title="Your tools, no lock-in"
          text="Everything behind the console speaks a standard protocol. Leave with the same commands you came with."
        >
          <Clients />
        </Reason>
        <Reason
          title="One command from nothing"
          text="A bare machine is enough: database, proxy, registry and name server are in the box, and give way to bigger ones when you grow."
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

function Clients() {
  return (
    <div className="flex flex-wrap gap-2">
      {CLIENTS.map((name) => (
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
