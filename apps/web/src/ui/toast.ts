import { TOAST_REMOVE_DELAY } from '@nephos/contracts/constants';

export interface ToastMessage {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
}

export interface ShownToast extends ToastMessage {
  id: number;
  /** A dismissed toast is kept, closed, until it is removed. */
  open: boolean;
}

let shown: ShownToast | null = null;
let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: ShownToast | null) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message from anywhere. There is at most one: a later toast takes the place of an earlier one. */
export function toast(message: ToastMessage): void {
  clearTimeout(removal);
  lastId += 1;
  show({ ...message, id: lastId, open: true });
}

/** Closes the shown toast; it is removed after `TOAST_REMOVE_DELAY` milliseconds. */
export function dismissToast(): void {
  if (!shown?.open) return;
  show({ ...shown, open: false });
  clearTimeout(removal);
  removal = setTimeout(() => show(null), TOAST_REMOVE_DELAY);
}

/** The store's half that React reads, see `ToastHost`. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  get: () => shown,
};
