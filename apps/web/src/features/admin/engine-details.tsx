import type { Engine } from '@nephos/contracts';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { Nodes } from './nodes.tsx';
import { OwnCertificates } from './own-certificates.tsx';

/** What an engine has that others do not: machines, certificates, walls between projects. */
export function EngineDetails({ engine }: { engine: Engine }) {
  const { name, nodes, certificates = [], isolation = [] } = engine;
  return (
    <>
      {nodes && <Nodes nodes={nodes} />}
      {certificates.length > 0 && <OwnCertificates certificates={certificates} />}
      {isolation.length > 0 && <Isolation name={name} facts={isolation} />}
    </>
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
