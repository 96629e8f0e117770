import { useSyncExternalStore } from 'react';
import { askAgain } from './ask-again.ts';

const READY_PATH = '/readyz';
/** Milliseconds. */
const PATIENCE = 5000;

/** Whether the server is there, and if not why: this device has no network, nobody answers, or it says itself that it cannot. */
export type ServerPresence = 'here' | 'offline' | 'unreachable' | 'unavailable';

let presence: ServerPresence = 'here';
let watch: ReturnType<typeof askAgain> | undefined;
let asking: Promise<ServerPresence> | undefined;
const listeners = new Set<() => void>();

async function ask(): Promise<ServerPresence> {
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(READY_PATH, { cache: 'no-store', signal }).catch(() => undefined);
  if (!answer) return navigator.onLine ? 'unreachable' : 'offline';
  // Read in any case: a body left unread holds its connection.
  await answer.text().catch(() => '');
  if (answer.status === 503) return 'unavailable';
  return answer.status === 502 || answer.status === 504 ? 'unreachable' : 'here';
}

function become(next: ServerPresence) {
  if (next === presence) return;
  presence = next;
  for (const listener of listeners) listener();
}

/** Asks whether the server is there, and goes on asking while it is not. Many who wonder in one moment ask once. */
export async function checkServer(): Promise<void> {
  if (watch) return watch.now();
  become(await askOnce());
  if (presence === 'here') return;
  watch ??= askAgain(async () => {
    become(await askOnce());
    if (presence === 'here') watch = undefined;
    return presence === 'here';
  });
}

function askOnce(): Promise<ServerPresence> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Calls back each time that the server is there again. */
export function onServerBack(action: () => void): () => void {
  return subscribe(() => presence === 'here' && action());
}

export function useServerPresence(): ServerPresence {
  return useSyncExternalStore(subscribe, () => presence);
}
