import { History, SquarePen, X } from 'lucide-react';
import * as Dialog from 'radix-ui/dialog';
import { type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { useMobile } from '../../shell/use-media.ts';
import { PANEL_WIDTH } from '../../shell/widths.ts';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

const NAME = 'AI Assistant';

export interface PanelFrameProps {
  open: boolean;
  /** Whether the page stands beside it, and not under it. */
  beside: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * At the right of the window. The page beside it stays usable, for one to read while
 * one asks; on a phone it covers all, and so keeps the focus. Closed, the focus is back where it was.
 */
export function PanelFrame({ open, beside, onClose, children }: PanelFrameProps) {
  const mobile = useMobile();
  const giveFocusBack = useOpener(open);
  if (!mobile) {
    return (
      open && (
        <AtTheRight beside={beside} onClose={onClose}>
          {children}
        </AtTheRight>
      )
    );
  }
  return (
    <Dialog.Root open={open} onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // Where one types has it already, unless the panel was open before a reload.
            const { target } = event;
            if (target instanceof Node && target.contains(document.activeElement)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack();
          }}
          className="fixed inset-0 z-40 flex animate-fade-in flex-col bg-raised text-fg outline-none"
        >
          <Dialog.Title className="sr-only">{NAME}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function AtTheRight({ beside, onClose, children }: Omit<PanelFrameProps, 'open'>) {
  // Toasts keep clear of it, and of the button that they would lie upon.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--aside-width', `${PANEL_WIDTH}px`);
    return () => void style.removeProperty('--aside-width');
  }, []);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Keys of a dialog that the panel opened come here too.
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === 'Escape' && inside && !event.nativeEvent.isComposing) onClose();
  }
  return (
    <aside
      aria-label={NAME}
      onKeyDown={onKeyDown}
      style={{ width: PANEL_WIDTH }}
      className={classNames(
        'fixed inset-y-0 right-0 z-30 flex animate-slide-in-right flex-col border-line border-l bg-raised text-fg',
        !beside && 'shadow-overlay',
      )}
    >
      {children}
    </aside>
  );
}

/** Notes what had the focus at opening, and gives it back once the panel that took it is gone. */
function useOpener(open: boolean): () => void {
  const opener = useRef<Element>(null);
  const giveBack = useCallback(() => {
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  }, []);
  useLayoutEffect(() => {
    if (!open) return;
    opener.current = document.activeElement;
    return () => {
      if (document.activeElement === document.body) giveBack();
    };
  }, [open, giveBack]);
  return giveBack;
}

interface PanelHeaderProps {
  /** Whether the conversation has no message, so that another one would be no other. */
  fresh: boolean;
  /** Whether past conversations are shown. */
  past: boolean;
  onPast: () => void;
}

export function PanelHeader({ fresh, past, onPast }: PanelHeaderProps) {
  const { close, show, startSession, starting } = useAssistant();
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-line border-b pr-2 pl-4">
      <h2 className="mr-auto font-semibold text-lg">AI Assistant</h2>
      <Tooltip content="New chat" side="bottom">
        <IconButton label="New chat" disabled={starting} onClick={() => (fresh ? show() : startSession())}>
          <SquarePen />
        </IconButton>
      </Tooltip>
      <Tooltip content="Past conversations" side="bottom">
        <IconButton label="Past conversations" aria-pressed={past} onClick={onPast}>
          <History />
        </IconButton>
      </Tooltip>
      <IconButton label="Close" onClick={close}>
        <X />
      </IconButton>
    </header>
  );
}
