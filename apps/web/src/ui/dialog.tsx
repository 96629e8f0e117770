import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { OVERLAY_STYLES } from './overlay-styles.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** Root of a dialog: `open` and `onOpenChange`, around the content. */
export const Dialog = Radix.Root;
export const DialogClose = Radix.Close;

export interface DialogContentProps {
  title: ReactNode;
  /** One sentence below the title. */
  description?: ReactNode;
  children: ReactNode;
  /** For what has long lines: pictures, text, commands. */
  wide?: boolean | undefined;
  /** For what is worked in, such as files side by side: the window's height, and its width up to a bound. */
  full?: boolean;
  /** Told of a click or a focus outside; what prevents its default keeps the dialog open. */
  onInteractOutside?: (event: Event) => void;
}

export const SCRIM_STYLES = 'fixed inset-0 z-40 animate-fade-in bg-scrim';

/**
 * The room of a dialog, which stands in its middle. On a phone toasts are at the top (`--toast-room`): a dialog that
 * would lie below one makes way, so that its title and its buttons stay in sight.
 */
export const DIALOG_FRAME = classNames(
  'pointer-events-none fixed inset-4 z-50 grid justify-items-center grid-rows-[1fr_auto_1fr]',
  'max-sm:grid-rows-[minmax(var(--toast-room,0px),1fr)_auto_minmax(0,1fr)]',
);

export const DIALOG_STYLES = classNames(
  OVERLAY_STYLES,
  'row-start-2 flex max-h-[min(48rem,calc(100dvh-2rem))] w-full min-w-0',
  'animate-fade-in flex-col outline-none max-sm:max-h-[calc(100dvh-2rem-var(--toast-room,0px))]',
);

/** A modal window with a heading and a close button; its body scrolls. */
export function DialogContent({
  title,
  description,
  children,
  wide = false,
  full = false,
  onInteractOutside,
}: DialogContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay className={SCRIM_STYLES} />
      <div className={DIALOG_FRAME}>
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          {...useFocusReturn()}
          {...(onInteractOutside && { onInteractOutside })}
          className={classNames(
            DIALOG_STYLES,
            'relative',
            full ? 'max-w-6xl sm:max-h-[calc(100dvh-2rem)]!' : wide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <header className="px-6 pt-5 pr-16">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
            )}
          </header>
          <div className="min-h-0 overflow-y-auto px-6 pt-4 pb-6">{children}</div>
          {/* Last, so that opening a dialog puts the focus into its form. */}
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-4 right-4">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </div>
    </Radix.Portal>
  );
}

/** The row of buttons that ends a dialog's form. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <footer className="mt-6 flex flex-wrap justify-end gap-2">{children}</footer>;
}
