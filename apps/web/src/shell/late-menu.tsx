import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  use,
  useState,
} from 'react';
import type {
  DropdownMenuContentProps,
  DropdownMenuItemProps,
  DropdownMenuLabelProps,
} from '../ui/dropdown-menu.tsx';
import { LatePart } from './late-part.tsx';

type Parts = typeof import('../ui/dropdown-menu.tsx');

const LoadedParts = createContext<Parts | null>(null);

const LoadedMenu = lazy(async () => {
  const parts = await import('../ui/dropdown-menu.tsx');
  return { default: (props: LoadedMenuProps) => <DrawnMenu parts={parts} {...props} /> };
});

interface LoadedMenuProps extends Required<Pick<LateMenuProps, 'open' | 'onOpenChange'>> {
  button: HTMLElement;
  content: DropdownMenuContentProps;
  /** Whether it was opened by a key before it was loaded, of which it does not know. */
  byKey: boolean;
}

function DrawnMenu({ parts, content, byKey, ...menu }: LoadedMenuProps & { parts: Parts }) {
  return (
    <LoadedParts value={parts}>
      <parts.DropdownMenu {...menu}>
        <parts.DropdownMenuContent {...content} focusesFirst={byKey} />
      </parts.DropdownMenu>
    </LoadedParts>
  );
}

/** What a menu's button is given. */
interface ButtonProps {
  ref: (button: HTMLElement | null) => void;
  'aria-haspopup': 'menu';
  'aria-expanded': false;
  'data-state': 'closed';
  onPointerEnter: () => void;
  onFocus: () => void;
  onPointerDown: (event: PointerEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export interface LateMenuProps extends DropdownMenuContentProps {
  /** Hands what it is given on to its element. */
  button: ReactElement<Partial<ButtonProps>>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The menu's items; drawn once it is open. */
  children: ReactNode;
}

/** A button with a menu, which is loaded once a pointer or the focus comes to the button. */
export function LateMenu({ button, open: given, onOpenChange, ...content }: LateMenuProps) {
  const [wanted, setWanted] = useState(false);
  const [own, setOwn] = useState(false);
  const [byKey, setByKey] = useState(false);
  const [element, setElement] = useState<HTMLElement | null>(null);
  const open = given ?? own;

  function setOpen(open: boolean, isByKey = false) {
    setWanted(true);
    setByKey(isByKey);
    setOwn(open);
    onOpenChange?.(open);
  }

  // What is loaded listens by itself, and before this does.
  const isLoaded = () => element?.id !== '';
  return (
    <>
      {cloneElement(button, {
        ref: setElement,
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        'data-state': 'closed',
        onPointerEnter: () => setWanted(true),
        onFocus: () => setWanted(true),
        onPointerDown(event) {
          if (isLoaded() || event.button !== 0 || event.ctrlKey) return;
          // Focus that came to the button would leave the menu at once, which closes it.
          event.preventDefault();
          setOpen(true);
        },
        onKeyDown(event) {
          if (isLoaded() || !['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          setOpen(true, true);
        },
      })}
      {wanted && element && (
        <LatePart wanted={open} onSaid={() => setOpen(false)}>
          <LoadedMenu
            button={element}
            open={open}
            onOpenChange={(open) => setOpen(open)}
            content={content}
            byKey={byKey}
          />
        </LatePart>
      )}
    </>
  );
}

function useParts(): Parts {
  const parts = use(LoadedParts);
  if (!parts) throw new Error('A menu item needs a LateMenu around it');
  return parts;
}

export function MenuItem(props: DropdownMenuItemProps) {
  const { DropdownMenuItem } = useParts();
  return <DropdownMenuItem {...props} />;
}

export function MenuLabel(props: DropdownMenuLabelProps) {
  const { DropdownMenuLabel } = useParts();
  return <DropdownMenuLabel {...props} />;
}

export function MenuSeparator() {
  const { DropdownMenuSeparator } = useParts();
  return <DropdownMenuSeparator />;
}
