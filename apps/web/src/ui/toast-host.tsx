import { useSyncExternalStore } from 'react';
import { toastStore } from './toast.ts';
import { Toaster } from './toaster.tsx';

/** Mounted once. What draws a toast is there from the start: the first may be the one that says that the server is gone. */
export function ToastHost() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  return toast && <Toaster toast={toast} />;
}
