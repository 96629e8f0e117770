import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

export interface WindowProps {
  title: string;
  className?: string;
  children: ReactNode;
}

/** The frame of a pictured program window. */
export function Window({ title, className, children }: WindowProps) {
  return (
    <div className={classNames('overflow-hidden rounded-xl border border-line-strong bg-sunken', className)}>
      <div className="flex h-10 items-center gap-4 border-line border-b bg-surface px-4">
        <span className="flex gap-1.5">
          {['close', 'minimise', 'zoom'].map((button) => (
            <span key={button} className="size-2.5 rounded-full bg-line-strong" />
          ))}
        </span>
        <span className="font-mono text-faint text-xs">{title}</span>
      </div>
      {children}
    </div>
  );
}
