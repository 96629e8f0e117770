import type { VariableScope } from '@nephos/contracts';
import { faultOfVariableName, faultOfVariableValue } from '@nephos/contracts/constants';
import { useMemo, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { type EnvEntry, parseEnv } from './parse-env.ts';

/** A variable that is being typed. */
export interface VariableDraft extends EnvEntry {
  key: string;
  /** Null until one is chosen: that of the variable that has the name already. */
  scope: VariableScope | null;
  /** What the server said of it as it stands. */
  refusal?: DraftFaults;
}

/** What is wrong with a draft, by field. */
export interface DraftFaults {
  name?: string;
  value?: string;
}

export interface VariableDrafts {
  drafts: readonly VariableDraft[];
  faults: ReadonlyMap<string, DraftFaults>;
  /** What there is to send: without drafts in which nothing stands. */
  variables: { name: string; value: string; scope?: VariableScope }[];
  /** Whether they can be sent, as far as can be known here. */
  sound: boolean;
  change: (key: string, part: Partial<Pick<VariableDraft, 'name' | 'value' | 'scope'>>) => void;
  add: () => void;
  remove: (key: string) => void;
  /** Takes over an `.env` text: a name that is there already gets the new value. */
  fill: (text: string) => void;
  reset: () => void;
}

/** Variables that are typed, pasted or dropped, with what is wrong with each. `errors` are those of `variables`. */
export function useVariableDrafts(errors: FieldErrors): VariableDrafts {
  const [drafts, setDrafts] = useState<readonly VariableDraft[]>(() => [blankDraft()]);
  const said = JSON.stringify(errors);
  const [heard, setHeard] = useState(said);
  if (said !== heard) {
    setHeard(said);
    setDrafts(withRefusals(drafts, errors));
  }
  const variables = useMemo(() => variablesOf(drafts), [drafts]);
  const faults = faultsOf(drafts);
  return {
    drafts,
    faults: new Map(drafts.map(({ key, refusal }) => [key, { ...refusal, ...faults.get(key) }])),
    variables,
    sound: faults.size === 0,
    change: (key, part) =>
      setDrafts((before) => before.map((draft) => (draft.key === key ? changed(draft, part) : draft))),
    add: () => setDrafts((before) => [...before, blankDraft()]),
    remove: (key) => setDrafts((before) => orBlank(before.filter((draft) => draft.key !== key))),
    fill: (text) => setDrafts((before) => withEntries(before, parseEnv(text))),
    reset: () => setDrafts([blankDraft()]),
  };
}

let made = 0;

function blankDraft(): VariableDraft {
  made += 1;
  return { key: String(made), name: '', value: '', scope: null };
}

function orBlank(drafts: readonly VariableDraft[]): readonly VariableDraft[] {
  return drafts.length > 0 ? drafts : [blankDraft()];
}

function isFilled({ name, value }: VariableDraft): boolean {
  return name !== '' || value !== '';
}

function variablesOf(drafts: readonly VariableDraft[]): VariableDrafts['variables'] {
  return drafts.filter(isFilled).map(({ name, value, scope }) => ({ name, value, ...(scope && { scope }) }));
}

/** Only its scope can change without what was said of it becoming old. */
function changed({ key, name, value, scope, ...said }: VariableDraft, part: Partial<VariableDraft>) {
  return { key, name, value, scope, ...('scope' in part && said), ...part };
}

function withEntries(drafts: readonly VariableDraft[], entries: readonly EnvEntry[]) {
  const filled = drafts.filter(isFilled);
  // Whoever pastes into an empty row has the focus in it.
  const empty = drafts.filter((draft) => !isFilled(draft));
  for (const entry of entries) {
    const index = filled.findIndex(({ name }) => name === entry.name && name !== '');
    const present = filled[index];
    if (present) filled[index] = { key: present.key, scope: present.scope, ...entry };
    else filled.push({ ...(empty.shift() ?? blankDraft()), ...entry });
  }
  return orBlank(filled);
}

/** The server counts what it was sent. */
function withRefusals(drafts: readonly VariableDraft[], errors: FieldErrors): VariableDraft[] {
  let index = -1;
  return drafts.map(({ refusal: _, ...draft }) => {
    if (!isFilled(draft)) return draft;
    index += 1;
    const at = `variables.${index}`;
    const refusal = faultsAs(errors[`${at}.name`], errors[`${at}.value`] ?? errors[at]);
    return refusal ? { ...draft, refusal } : draft;
  });
}

/** What is known to be wrong before they are sent, by draft. */
function faultsOf(drafts: readonly VariableDraft[]): Map<string, DraftFaults> {
  const names = new Set<string>();
  const found = new Map<string, DraftFaults>();
  for (const { key, name, value, fault } of drafts.filter(isFilled)) {
    const faults = faultsAs(
      faultOfName(name) ?? (names.has(name) ? 'This name is set above.' : undefined),
      fault ?? faultOfVariableValue(value),
    );
    names.add(name);
    if (faults) found.set(key, faults);
  }
  return found;
}

function faultOfName(name: string): string | undefined {
  return name === '' ? 'Enter a name.' : faultOfVariableName(name);
}

function faultsAs(name: string | undefined, value: string | undefined): DraftFaults | undefined {
  return name || value ? { ...(name && { name }), ...(value && { value }) } : undefined;
}
