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

export interface Visited {
  control: HTMLElement;
  /** Whether it was pressed and only tells why it does nothing: a finger has no other way to ask. */
  asked: boolean;
}

/** Tells of controls with a tooltip that a pointer, the focus or a finger comes to, until the answer is called. */
export function onVisited(tell: (visited: Visited) => void): () => void {
  function notice({ type, target }: Event) {
    const control = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
    if (!control) return;
    const asked = type === 'click';
    if (!asked || control.getAttribute('aria-disabled') === 'true') tell({ control, asked });
  }
  // What comes to lie under a pointer that rests is not pointed at.
  const types = ['pointermove', 'focusin', 'click'];
  for (const type of types) document.addEventListener(type, notice);
  return () => {
    for (const type of types) document.removeEventListener(type, notice);
  };
}

/** Mounted once. What draws tooltips is loaded when the first one is near. */
export function TooltipHost() {
  const [first, setFirst] = useState<Visited>();

  useEffect(() => {
    if (!first) return onVisited(setFirst);
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
