import { useRef, useState } from 'react';

export interface MenuDialog<Name extends string> {
  /** The dialog that is open. */
  open: Name | undefined;
  /** What a menu's item does to open a dialog. */
  choose: (name: Name) => () => void;
  /** The menu's `onCloseAutoFocus`. */
  menuClosed: () => void;
  close: () => void;
}

/**
 * The dialogs that a menu opens: each once the menu has handed the focus back to its button, so that the dialog hands it
 * back there too.
 */
export function useMenuDialog<Name extends string>(): MenuDialog<Name> {
  const [open, setOpen] = useState<Name>();
  const chosen = useRef<Name>(undefined);
  return {
    open,
    choose: (name) => () => {
      chosen.current = name;
    },
    menuClosed() {
      if (chosen.current) setOpen(chosen.current);
      chosen.current = undefined;
    },
    close: () => setOpen(undefined),
  };
}
