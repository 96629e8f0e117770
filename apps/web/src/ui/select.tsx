import { Check, ChevronDown } from 'lucide-react';
import * as Radix from 'radix-ui/select';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL_STYLES } from './control-styles.ts';
import { useFieldControl } from './field.tsx';
import { OVERLAY_STYLES } from './overlay-styles.ts';

export interface SelectOption<V extends string = string> {
  value: V;
  label: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<V extends string> {
  value: V;
  onValueChange: (value: V) => void;
  /** Once the list is gone and the focus returns: when a choice may open something that takes it. */
  onClosed?: (() => void) | undefined;
  options: readonly SelectOption<V>[];
  placeholder?: string;
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
  /** Ids of what explains it, outside a `Field`. */
  'aria-describedby'?: string;
}

/** A choice of one among a few. */
export function Select<V extends string>({
  value,
  onValueChange,
  onClosed,
  options,
  placeholder,
  disabled,
  className,
  ...props
}: SelectProps<V>) {
  const { required, ...field } = useFieldControl();
  return (
    <Radix.Root
      value={value}
      // Radix speaks of strings; only values of `options` can be chosen.
      onValueChange={(chosen) => onValueChange(chosen as V)}
      disabled={disabled}
      required={required}
    >
      <Radix.Trigger
        {...field}
        {...props}
        // What is chosen, for a form that looks at its controls.
        value={value}
        className={classNames(
          CONTROL_STYLES,
          'flex h-9 items-center justify-between gap-2 text-left data-[placeholder]:text-faint [&>span:first-child]:truncate',
          className,
        )}
      >
        <Radix.Value placeholder={placeholder} />
        <Radix.Icon>
          <ChevronDown aria-hidden="true" className="size-4 text-faint" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Choices options={options} onClosed={onClosed} />
      </Radix.Portal>
    </Radix.Root>
  );
}

type ChoicesProps = Pick<SelectProps<string>, 'options' | 'onClosed'>;

function Choices({ options, onClosed }: ChoicesProps) {
  return (
    <Radix.Content
      position="popper"
      sideOffset={4}
      onCloseAutoFocus={onClosed}
      className={classNames(
        OVERLAY_STYLES,
        'z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[min(32rem,var(--radix-select-content-available-width))] animate-pop-in',
      )}
    >
      <Radix.Viewport className="p-1">
        {options.map((option) => (
          <Radix.Item
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            className="flex min-h-8 cursor-default select-none items-center justify-between gap-3 rounded-sm px-2 text-base outline-none data-[disabled]:opacity-55 data-[highlighted]:bg-hover [&>span:first-child]:min-w-0 [&>span:first-child]:break-words"
          >
            <Radix.ItemText>{option.label}</Radix.ItemText>
            <Radix.ItemIndicator>
              <Check aria-hidden="true" className="size-4 text-accent-text" />
            </Radix.ItemIndicator>
          </Radix.Item>
        ))}
      </Radix.Viewport>
    </Radix.Content>
  );
}
