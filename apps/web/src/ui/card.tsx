import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The frame of a thing that one owns. */
export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={classNames('rounded-xl border border-line bg-surface p-5', className)} />;
}

export interface CardHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** At the right of the title: badges, a menu. */
  aside?: ReactNode;
}

export function CardHeader({ title, description, aside }: CardHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-3">
      {/* Beside what is wide on a narrow screen, words would be a column of single ones. */}
      <div className="min-w-0 grow basis-40">
        {/* Room for the focus ring of a linked title, which truncation would cut off. */}
        <h2 className="-m-1 truncate p-1 font-semibold text-lg">{title}</h2>
        {description && <p className="mt-1 break-words text-muted text-sm">{description}</p>}
      </div>
      {aside && <div className="flex shrink-0 items-center gap-2">{aside}</div>}
    </header>
  );
}
