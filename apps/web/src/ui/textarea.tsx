import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL_STYLES } from './control-styles.ts';
import { useFieldControl } from './field.tsx';

export function Textarea({ className, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldControl()}
      rows={rows}
      {...props}
      className={classNames(CONTROL_STYLES, 'resize-y py-2', className)}
    />
  );
}
