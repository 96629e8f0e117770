import { X } from 'lucide-react';
import * as Radix from 'radix-ui/toast';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { dismissToast, type ShownToast, toastPainted } from './toast.ts';

/** Milliseconds after which a toast closes by itself. */
const DURATION = 5000;

/**
 * Radix gives Escape to the layer that came last, which a toast is above the dialog that it speaks of. People mean what
 * they work in: unless they are in the toast, it closes and the key goes on to what lies below.
 */
function handOn(event: KeyboardEvent) {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('[data-toast]')) return;
  event.preventDefault();
  dismissToast();
  // Once the toast's layer is gone.
  setTimeout(() => target.dispatchEvent(new KeyboardEvent('keydown', event)));
}

/** Calls back when what was just drawn is on the screen; not before somebody looks, where the tab is in the background. */
function afterPaint(action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(action);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

const TONES = {
  default: 'border-line-strong',
  destructive: 'border-danger',
};

/** Draws the shown toast. Rendered by `ToastHost` alone. */
export function Toaster({ toast }: { toast: ShownToast }) {
  return (
    <Radix.Provider duration={DURATION} swipeDirection="right">
      <Radix.Root
        key={toast.id}
        open={toast.open}
        onOpenChange={(open) => !open && dismissToast()}
        onEscapeKeyDown={handOn}
        type="foreground"
        data-toast=""
        className={classNames(
          'flex w-full animate-slide-up items-start gap-3 rounded-lg border bg-raised py-3 pr-2 pl-4 text-fg shadow-overlay',
          'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
          TONES[toast.variant ?? 'default'],
        )}
      >
        <Words {...toast} />
        <Radix.Close asChild>
          <IconButton label="Dismiss">
            <X />
          </IconButton>
        </Radix.Close>
      </Radix.Root>
      {/*
        At the top of a phone, where an open keyboard hides the bottom, and dialogs make way; left of what stands at the
        right of the window.
      */}
      <Radix.Viewport className="fixed right-[calc(1rem+var(--aside-width,0px))] z-60 flex w-[min(24rem,calc(100vw-2rem-var(--aside-width,0px)))] flex-col outline-none max-sm:top-4 sm:bottom-4" />
    </Radix.Provider>
  );
}

/** Tells dialogs how much of the window's top a toast takes: its height, and a gap. */
function useToastRoom(words: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const height = words.current?.closest<HTMLElement>('[data-toast]')?.offsetHeight ?? 0;
    style.setProperty('--toast-room', `calc(${height}px + 0.5rem)`);
    return () => void style.removeProperty('--toast-room');
  }, [words]);
}

function Words({ title, description, detail, variant }: ShownToast) {
  const words = useRef<HTMLDivElement>(null);
  useToastRoom(words);
  useEffect(() => afterPaint(toastPainted), []);

  return (
    <div ref={words} className="flex min-h-9 min-w-0 grow flex-col justify-center">
      <Radix.Title className={classNames('font-semibold', variant === 'destructive' && 'text-danger')}>
        {title}
      </Radix.Title>
      {description && (
        <Radix.Description className="mt-0.5 break-words text-muted text-sm">{description}</Radix.Description>
      )}
      {detail && detail !== description && <p className="mt-0.5 break-words text-muted text-sm">{detail}</p>}
    </div>
  );
}
