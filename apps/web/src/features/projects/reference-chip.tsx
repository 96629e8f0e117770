import { parseReference } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Database, Rocket } from 'lucide-react';

/** What a variable refers to, and the way there. */
export function ReferenceChip({ path }: { path: string }) {
  const reference = parseReference(path);
  if (!reference) return <code className="break-all text-sm">{path}</code>;
  const isDatabase = reference.kind === 'databases';
  const Icon = isDatabase ? Database : Rocket;
  return (
    <Link
      to={isDatabase ? '/databases' : '/deployments'}
      search={{ q: reference.name }}
      title={isDatabase ? `Show the database ${reference.name}` : `Show the project ${reference.name}`}
      className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-sunken px-2 py-0.5 font-mono text-accent-text text-xs hover:bg-hover [&_svg]:size-3 [&_svg]:shrink-0"
    >
      <Icon aria-hidden="true" />
      <span className="min-w-0 break-all text-left">{path}</span>
    </Link>
  );
}
