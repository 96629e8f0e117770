import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

export interface SectionProps {
  id: string;
  /** A word or two above the heading. */
  eyebrow: string;
  title: string;
  lead?: string;
  className?: string;
  children: ReactNode;
}

/** One part of the landing page, named by its heading. */
export function Section({ id, eyebrow, title, lead, className, children }: SectionProps) {
  const headingId = `${id}-heading`;
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className={classNames('border-line border-t py-20 sm:py-24', className)}
    >
      <div className="mx-auto max-w-7xl px-5 sm:px-8">
        <p className="font-medium text-accent-text text-sm">{eyebrow}</p>
        <h2 id={headingId} className="mt-3 max-w-2xl text-2xl tracking-tight sm:text-3xl">
          {title}
        </h2>
        {lead && <p className="mt-4 max-w-2xl text-lg text-muted">{lead}</p>}
        <div className="mt-12">{children}</div>
      </div>
    </section>
  );
}
