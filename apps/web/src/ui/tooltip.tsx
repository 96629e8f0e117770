import { cloneElement, lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

const TooltipLayer = lazy(() =>
  import('./tooltip-layer.tsx').then(({ TooltipLayer }) => ({ default: TooltipLayer })),
);

export interface TooltipProps {
  content: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** Says nothing for now. */
  disabled?: boolean;
  /** Hands what it is given on to its element. */
  children: ReactElement<{ 'data-tooltip'?: string; 'data-tooltip-side'?: string }>;
}

/** A short name or explanation for a control, after 700 ms. Drawn by the `TooltipHost`. */
export function Tooltip({ content, side = 'top', disabled = false, children }: TooltipProps) {
  return disabled ? children : cloneElement(children, { 'data-tooltip': content, 'data-tooltip-side': side });
}

/** The control at which something happened, where it has a tooltip. */
export function tooltipControl({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
}

/** Mounted once. What draws tooltips is loaded when the first one is near. */
export function TooltipHost() {
  const [first, setFirst] = useState<HTMLElement>();

  useEffect(() => {
    if (first) return;
    const notice = (event: Event) => setFirst(tooltipControl(event) ?? undefined);
    // What comes to lie under a pointer that rests is not pointed at.
    document.addEventListener('pointermove', notice);
    document.addEventListener('focusin', notice);
    return () => {
      document.removeEventListener('pointermove', notice);
      document.removeEventListener('focusin', notice);
    };
  }, [first]);

  if (!first) return null;
  // Without it the console is as usable as before.
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <TooltipLayer first={first} />
      </Suspense>
    </ErrorBoundary>
  );
}
