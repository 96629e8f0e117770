import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastStore } from './toast.ts';

const loadToaster = () => import('./toaster.tsx');
const Toaster = lazy(() => loadToaster().then(({ Toaster }) => ({ default: Toaster })));

/** Fetches what draws toasts ahead of the first one. */
export function preloadToaster(): void {
  loadToaster().catch(() => {});
}

/** Mounted once; costs nothing until the first toast. */
export function ToastHost() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  if (!toast) return null;
  return (
    <Suspense>
      <Toaster toast={toast} />
    </Suspense>
  );
}
