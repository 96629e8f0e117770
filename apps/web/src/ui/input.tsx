import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL_STYLES } from './control-styles.ts';
import { useFieldControl } from './field.tsx';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...props} className={classNames(CONTROL_STYLES, 'h-9', className)} />;
}
