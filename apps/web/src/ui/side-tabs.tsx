import * as Radix from 'radix-ui/tabs';
import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { focusWithoutRing } from './focus-without-ring.ts';

export interface SideTab {
  value: string;
  icon: ReactNode;
  label: string;
  /** Below the label where there is room. */
  note?: string;
  content: ReactNode;
}

export interface SideTabsProps {
  /** Accessible name: what one chooses among. */
  label: string;
  tabs: readonly SideTab[];
  /** In a row above the content rather than at its side. */
  narrow: boolean;
  /** Below the tabs; below the content while narrow. */
  footer?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** One of many things of a kind, such as files, chosen from a list at its side. */
export function SideTabs({ label, tabs, narrow, footer, ref }: SideTabsProps) {
  return (
    <Radix.Root
      ref={ref}
      defaultValue={tabs[0]?.value}
      orientation={narrow ? 'horizontal' : 'vertical'}
      className={narrow ? 'flex flex-col gap-3' : 'grid grid-cols-[15rem_minmax(0,1fr)] gap-x-5'}
    >
      <Radix.List
        aria-label={label}
        className={classNames('flex gap-1', narrow ? '-m-1 overflow-x-auto p-1' : 'flex-col')}
      >
        {tabs.map((tab) => (
          <TabTrigger key={tab.value} tab={tab} narrow={narrow} />
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content
          key={value}
          value={value}
          className={classNames('min-w-0 rounded-lg', !narrow && 'col-start-2 row-span-2 row-start-1')}
        >
          {content}
        </Radix.Content>
      ))}
      {footer && <div className={narrow ? '' : 'self-end pt-4'}>{footer}</div>}
    </Radix.Root>
  );
}

interface TabTriggerProps {
  tab: SideTab;
  narrow: boolean;
}

function TabTrigger({ tab: { value, icon, label, note }, narrow }: TabTriggerProps) {
  return (
    <Radix.Trigger
      onMouseDown={focusWithoutRing}
      value={value}
      className={classNames(
        'group flex shrink-0 items-center gap-2.5 rounded-md px-2.5 text-left text-muted text-sm transition-colors',
        'hover:bg-hover hover:text-fg data-[state=active]:bg-accent-soft data-[state=active]:text-accent-text',
        '[&>svg]:size-4 [&>svg]:shrink-0',
        narrow || !note ? 'h-9' : 'h-12',
      )}
    >
      {icon}
      <span className="min-w-0">
        <span className="block truncate font-medium">{label}</span>
        {!narrow && note && (
          <span className="block truncate text-faint text-xs group-data-[state=active]:text-accent-text">
            {note}
          </span>
        )}
      </span>
    </Radix.Trigger>
  );
}
