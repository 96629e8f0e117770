import { TOOLTIP_DELAY } from '@nephos/contracts/constants';
import * as Radix from 'radix-ui/tooltip';
import { type ComponentProps, useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import { OVERLAY_STYLES } from './overlay-styles.ts';
import { StandIn } from './stand-in.tsx';
import { onVisited, type Visited } from './tooltip.tsx';

/** The tooltips of all controls that a pointer, the focus or a finger came to. */
export function TooltipLayer({ first }: { first: Visited }) {
  const [all, setAll] = useState([first]);

  useEffect(
    () =>
      onVisited((visited) =>
        setAll((before) =>
          before.some(({ control }) => control === visited.control)
            ? before
            : [...before.filter(({ control }) => control.isConnected), visited],
        ),
      ),
    [],
  );

  return (
    <Radix.Provider delayDuration={TOOLTIP_DELAY}>
      {all.map((visited) => (
        <ControlTooltip key={keyOf(visited.control)} {...visited} />
      ))}
    </Radix.Provider>
  );
}

const keys = new WeakMap<HTMLElement, number>();
let lastKey = 0;

function keyOf(control: HTMLElement): number {
  const key = keys.get(control) ?? ++lastKey;
  keys.set(control, key);
  return key;
}

function ControlTooltip({ control, asked }: Visited) {
  const [open, setOpen] = useState(asked);

  // After Radix, for which a click is the end of it.
  useEffect(
    () => onVisited((visited) => visited.asked && visited.control === control && setOpen(true)),
    [control],
  );

  // What brought us here was before anything of ours listened.
  useEffect(() => {
    if (asked) return;
    if (control.matches(':focus-visible')) control.dispatchEvent(new FocusEvent('focus'));
    else if (control.matches(':hover')) control.dispatchEvent(new PointerEvent('pointermove'));
  }, [control, asked]);

  useEffect(() => {
    if (!open) return;
    const closeWithout = new MutationObserver(() => {
      if (!control.isConnected || control.dataset.tooltip === undefined) setOpen(false);
    });
    closeWithout.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-tooltip'],
    });
    return () => closeWithout.disconnect();
  }, [control, open]);

  return (
    <Radix.Root open={open} onOpenChange={(open) => setOpen(open && control.dataset.tooltip !== undefined)}>
      <Radix.Trigger asChild>
        <StandIn element={control} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          // Our own writing, see `Tooltip`.
          side={control.dataset.tooltipSide as ComponentProps<typeof Radix.Content>['side']}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(OVERLAY_STYLES, 'z-50 max-w-72 animate-fade-in px-2.5 py-1.5 text-sm')}
        >
          {control.dataset.tooltip}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
