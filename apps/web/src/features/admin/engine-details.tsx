import type { DamagedBytes, Engine } from '@nephos/contracts';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Day } from './cells.tsx';
import { InstallationBackups } from './installation-backups.tsx';
import { Nodes } from './nodes.tsx';
import { OwnCertificates } from './own-certificates.tsx';

/** What an engine has that others do not: machines, certificates, backups, walls between projects. */
export function EngineDetails({ engine }: { engine: Engine }) {
  const { id, name, state, nodes, certificates = [], isolation = [], damaged = [] } = engine;
  return (
    <>
      {id === 'backups' && state !== 'off' && <InstallationBackups />}
      {nodes && <Nodes nodes={nodes} />}
      {certificates.length > 0 && <OwnCertificates certificates={certificates} />}
      {damaged.length > 0 && <Damaged name={name} items={damaged} />}
      {isolation.length > 0 && <Isolation name={name} facts={isolation} />}
    </>
  );
}

const PROBLEMS = { damaged: 'Damaged', missing: 'Missing' } as const;

/** What is not as it was stored. */
function Damaged({ name, items }: { name: string; items: readonly DamagedBytes[] }) {
  return (
    <ul aria-label={`Damage of ${name}`} className="grid basis-full gap-2 text-sm">
      {items.map(({ what, name, owner, problem, foundAt }) => (
        <li key={`${what} ${name} ${foundAt}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone="danger">{PROBLEMS[problem]}</Badge>
          <span className="min-w-0 break-all">{name}</span>
          <span className="text-muted">
            {what}
            {owner && ` of ${owner}`}, since <Day instant={foundAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What keeps projects apart, and what does not. */
function Isolation({ name, facts }: { name: string; facts: NonNullable<Engine['isolation']> }) {
  return (
    <div className="basis-full">
      <p className="text-faint text-sm">Isolation between projects</p>
      <ul aria-label={`Isolation of ${name}`} className="mt-1.5 grid gap-x-8 gap-y-3 md:grid-cols-2">
        {facts.map((fact) => (
          <li key={fact.name} className="flex gap-2.5 text-sm">
            {fact.holds ? (
              <ShieldCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <ShieldOff aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
            )}
            <div className="min-w-0">
              <p className="font-medium">
                {fact.name}: {fact.holds ? 'yes' : 'no'}
              </p>
              <p className="break-words text-muted">{fact.detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
