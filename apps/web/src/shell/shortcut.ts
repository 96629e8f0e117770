import { useEffectEvent, useLayoutEffect } from 'react';

const onApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How a shortcut is written on this machine: '⌘K' or 'Ctrl K'. */
export function shortcutLabel(letter: string): string {
  return onApple() ? `⌘${letter}` : `Ctrl ${letter}`;
}

/** Calls `action` on Ctrl or Cmd plus a letter, wherever the focus is. */
export function useShortcut(letter: string, action: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== letter || event.altKey || event.shiftKey) return;
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    action();
  });

  // Before the page is painted: a key that is pressed as soon as it is seen has its effect.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
