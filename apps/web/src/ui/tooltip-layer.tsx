import { TOOLTIP_DELAY } from '@nephos/contracts/constants';
import * as Radix from 'radix-ui/tooltip';
import { type ComponentProps, useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import { OVERLAY_STYLES } from './overlay-styles.ts';
import { StandIn } from './stand-in.tsx';
import { tooltipControl } from './tooltip.tsx';

/** The tooltips of all controls that a pointer or the focus came to. */
export function TooltipLayer({ first }: { first: HTMLElement }) {
  const [controls, setControls] = useState([first]);

  useEffect(() => {
    function notice(event: Event) {
      const control = tooltipControl(event);
      if (!control) return;
      setControls((before) =>
        before.includes(control) ? before : [...before.filter((other) => other.isConnected), control],
      );
    }
    document.addEventListener('pointermove', notice);
    document.addEventListener('focusin', notice);
    return () => {
      document.removeEventListener('pointermove', notice);
      document.removeEventListener('focusin', notice);
    };
  }, []);

  return (
    <Radix.Provider delayDuration={TOOLTIP_DELAY}>
      {controls.map((control) => (
        <ControlTooltip key={keyOf(control)} control={control} />
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

function ControlTooltip({ control }: { control: HTMLElement }) {
  const [open, setOpen] = useState(false);

  // What brought us here was before anything of ours listened.
  useEffect(() => {
    if (control.matches(':focus-visible')) control.dispatchEvent(new FocusEvent('focus'));
    else if (control.matches(':hover')) control.dispatchEvent(new PointerEvent('pointermove'));
  }, [control]);

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
