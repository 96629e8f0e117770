import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { MissingPartToast, type MissingPartToastProps } from './missing-part-notice.tsx';

export interface LatePartProps extends Omit<MissingPartToastProps, 'error'> {
  /** In its place while it is on its way. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Around what is loaded once it is asked for. Where it cannot be had, a toast says so, and the page stays. */
export function LatePart({ wanted, onSaid, fallback, children }: LatePartProps) {
  return (
    <ErrorBoundary fallback={(error) => <MissingPartToast error={error} wanted={wanted} onSaid={onSaid} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
