import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Input } from './input.tsx';

export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** What is searched; accessible name and placeholder. */
  label: string;
}

/** A line that narrows what is shown below it. */
export function SearchInput({ label, className, ...props }: SearchInputProps) {
  return (
    <div className={classNames('relative', className)}>
      <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-faint" />
      <Input type="search" aria-label={label} placeholder={label} {...props} className="pl-9" />
    </div>
  );
}
