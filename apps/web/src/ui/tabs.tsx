import * as Radix from 'radix-ui/tabs';
import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { focusWithoutRing } from './focus-without-ring.ts';

export const Tabs = Radix.Root;

/** Tabs in a row; where they have no room it scrolls, fades where it goes on, and begins where the chosen one is seen. */
export function TabsList({ className, ...props }: Omit<ComponentProps<typeof Radix.List>, 'ref'>) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[data-state="active"]');
    if (!list.current || !chosen) return;
    list.current.scrollLeft = chosen.offsetLeft + chosen.offsetWidth - list.current.clientWidth;
  }, []);
  useScrollFade(list);
  return (
    <Radix.List
      {...props}
      ref={list}
      className={classNames(
        'scroll-fade relative flex gap-1 overflow-x-auto border-line border-b',
        className,
      )}
    />
  );
}

/** Says on the element at which ends it scrolls on, for the styles `scroll-fade`. */
function useScrollFade(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    function mark() {
      if (!element) return;
      const { scrollLeft, scrollWidth, clientWidth } = element;
      element.toggleAttribute('data-more-before', scrollLeft > 1);
      element.toggleAttribute('data-more-after', scrollLeft + clientWidth < scrollWidth - 1);
    }
    mark();
    element.addEventListener('scroll', mark, { passive: true });
    const observer = new ResizeObserver(mark);
    // Its tabs too: they change their width when the font arrives.
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => {
      element.removeEventListener('scroll', mark);
      observer.disconnect();
    };
  }, [ref]);
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      onMouseDown={focusWithoutRing}
      {...props}
      className={classNames(
        '-mb-px inline-flex h-10 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 font-medium text-base text-muted transition-colors',
        'hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-accent-text data-[state=active]:text-fg',
        className,
      )}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...props} className={classNames('pt-6', className)} />;
}
