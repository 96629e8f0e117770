import { type Ref, useLayoutEffect } from 'react';

export interface StandInProps {
  /** What is on the page already. */
  element: HTMLElement;
  ref?: Ref<HTMLElement>;
}

/**
 * Radix's trigger for an element that was drawn before Radix was loaded: takes what a child of `asChild` is given, and
 * hands attributes and listeners on to the element itself.
 */
export function StandIn({ element, ref, ...props }: StandInProps) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') {
      if (ref) ref.current = element;
      return;
    }
    const giveBack = ref(element);
    return () => void (giveBack ? giveBack() : ref(null));
  }, [ref, element]);

  useLayoutEffect(() => {
    const given = Object.entries<unknown>(props);
    const listeners = given.flatMap(([name, listener]) =>
      /^on[A-Z]/.test(name) && typeof listener === 'function'
        ? { type: name.slice(2).toLowerCase(), listener: (event: Event) => void listener(event) }
        : [],
    );
    for (const [name, value] of given) {
      if (!/^(aria|data)-|^id$/.test(name)) continue;
      if (value === undefined || value === null) element.removeAttribute(name);
      else element.setAttribute(name, String(value));
    }
    for (const { type, listener } of listeners) element.addEventListener(type, listener);
    return () => {
      for (const { type, listener } of listeners) element.removeEventListener(type, listener);
    };
  });
  return null;
}
