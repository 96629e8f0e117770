import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Input } from './input.tsx';

/** A line in the mono face that no browser corrects or completes. */
export function PlainInput({ className, ...props }: ComponentProps<'input'>) {
  return (
    <Input
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      className={classNames('font-mono', className)}
    />
  );
}
