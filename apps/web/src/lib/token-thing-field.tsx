import type { TokenResource } from '@nephos/contracts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { trpc } from './trpc.ts';

/** What a token can be made for. */
export type ThingKind = Exclude<TokenResource['kind'], 'bucket'>;

/** Things of a kind that are offered, where there can be any number. */
const MOST = 100;

export interface ThingFieldProps {
  kind: ThingKind;
  id: string;
  onChoose: (id: string) => void;
}

/** The one thing of the workspace that a token opens. */
export function ThingField({ kind, id, onChoose }: ThingFieldProps) {
  const { things, hint } = useThings(kind);
  return (
    <Field label="Which one" required hint={hint}>
      <Select value={id} onValueChange={onChoose} placeholder="Choose one" options={things} />
    </Field>
  );
}

/** What there is of a kind, by name. */
function useThings(kind: ThingKind) {
  const lists = {
    project: trpc.projects.list.useQuery({ limit: MOST }, { enabled: kind === 'project' }),
    database: trpc.databases.list.useQuery({ limit: MOST }, { enabled: kind === 'database' }),
    repository: trpc.containers.repositories.useQuery({ limit: MOST }, { enabled: kind === 'repository' }),
    zone: trpc.dns.zones.useQuery(undefined, { enabled: kind === 'zone' }),
  };
  const { data, isError } = lists[kind];
  const things = data?.map((thing) => ({ value: thing.id, label: nameOf(thing) })) ?? [];
  if (isError) return { things, hint: 'These could not be loaded. Close the dialog and try again.' };
  return { things, hint: data?.length === 0 ? 'There is none in this workspace.' : undefined };
}

function nameOf(thing: { name: string } | { domain: string }): string {
  return 'name' in thing ? thing.name : thing.domain;
}
