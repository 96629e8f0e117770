import { useCallback, useState } from 'react';

export interface Draft<T> {
  values: T;
  /** The same function at each rendering. */
  set: <K extends keyof T>(field: K, value: T[K]) => void;
  /** Back to the defaults. */
  reset: () => void;
  /** Whether any field differs from its default. */
  changed: boolean;
}

/** What is being typed into a form that starts from `defaults`. Fields that were not touched follow the defaults. */
export function useDraft<T extends object>(defaults: T): Draft<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const values = { ...defaults, ...edits };
  const set = useCallback(
    <K extends keyof T>(field: K, value: T[K]) => setEdits((before) => ({ ...before, [field]: value })),
    [],
  );
  return {
    values,
    set,
    reset: () => setEdits({}),
    changed: Object.entries(values).some(([field, value]) => value !== Reflect.get(defaults, field)),
  };
}
