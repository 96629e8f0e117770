import type { TokenResource } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

/** The kinds that are offered: the others have no ids that people know them by. */
type ThingKind = Extract<TokenResource['kind'], 'project' | 'database'>;
type Kind = ThingKind | 'all';

/** Things of a kind that are offered. */
const MOST = 100;

const KINDS = [
  { value: 'all', label: 'The whole workspace' },
  { value: 'project', label: 'One project' },
  { value: 'database', label: 'One database' },
] as const satisfies readonly { value: Kind; label: string }[];

export interface ResourceChoice {
  kind: Kind;
  id: string;
  change: (kind: Kind, id: string) => void;
  /** Null for the whole workspace. */
  value: TokenResource | null;
  /** Whether a thing is chosen, where one has to be. */
  ready: boolean;
}

/** What a token opens: the whole workspace, or one thing of it. */
export function useResource(): ResourceChoice {
  const [{ kind, id }, setChosen] = useState<{ kind: Kind; id: string }>({ kind: 'all', id: '' });
  return {
    kind,
    id,
    change: (kind, id) => setChosen({ kind, id }),
    value: kind === 'all' ? null : { kind, id },
    ready: kind === 'all' || id !== '',
  };
}

export interface ResourceFieldProps {
  resource: ResourceChoice;
  error: string | undefined;
}

export function ResourceField({ resource: { kind, id, change }, error }: ResourceFieldProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Access to" error={error} hint="A token for one thing opens nothing else.">
        <Select value={kind} onValueChange={(kind) => change(kind, '')} options={KINDS} />
      </Field>
      {kind !== 'all' && <ThingField kind={kind} id={id} onChoose={(id) => change(kind, id)} />}
    </div>
  );
}

interface ThingFieldProps {
  kind: ThingKind;
  id: string;
  onChoose: (id: string) => void;
}

function ThingField({ kind, id, onChoose }: ThingFieldProps) {
  const { things, hint } = useThings(kind);
  return (
    <Field label="Which one" required hint={hint}>
      <Select value={id} onValueChange={onChoose} placeholder="Choose one" options={things} />
    </Field>
  );
}

/** What there is of a kind, by name. */
function useThings(kind: ThingKind) {
  const projects = trpc.projects.list.useQuery({ limit: MOST }, { enabled: kind === 'project' });
  const databases = trpc.databases.list.useQuery({ limit: MOST }, { enabled: kind === 'database' });
  const { data, isError } = kind === 'project' ? projects : databases;
  const things = data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  if (isError) return { things, hint: 'These could not be loaded. Close the dialog and try again.' };
  return { things, hint: data?.length === 0 ? 'There is none in this workspace.' : undefined };
}
