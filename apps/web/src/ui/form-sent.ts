const listeners = new Set<() => void>();

/** Calls `listener` whenever a dialog's form was sent, before it is answered. Returns what ends that. */
export function onFormSent(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellFormSent(): void {
  for (const listener of listeners) listener();
}
