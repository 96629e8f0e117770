import { TOAST_REMOVE_DELAY } from '@nephos/contracts/constants';

export interface ToastMessage {
  title: string;
  description?: string;
  /** What more there is to know; left out where it is what the description says. */
  detail?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Called when it can be seen; at once where another takes its place before that. */
  onPainted?: () => void;
}

export interface ShownToast extends Omit<ToastMessage, 'onPainted'> {
  id: number;
  /** A dismissed toast is kept, closed, until it is removed. */
  open: boolean;
}

let shown: ShownToast | null = null;
let lastId = 0;
let whenPainted: (() => void) | undefined;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: ShownToast | null) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message from anywhere. There is at most one: a later toast takes the place of an earlier one. */
export function toast({ onPainted, ...message }: ToastMessage): void {
  clearTimeout(removal);
  toastPainted();
  whenPainted = onPainted;
  lastId += 1;
  show({ ...message, id: lastId, open: true });
}

/** Says that the shown toast is on the screen. */
export function toastPainted(): void {
  const tell = whenPainted;
  whenPainted = undefined;
  tell?.();
}

/** Closes the shown toast; it is removed after `TOAST_REMOVE_DELAY` milliseconds. */
export function dismissToast(): void {
  if (!shown?.open) return;
  toastPainted();
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
