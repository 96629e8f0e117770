import { type ReactNode, useId } from 'react';
import { formatInstant } from '../../../lib/format.ts';

export interface SectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** A part of the page with a heading of its own. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      <p className="mt-1 max-w-3xl text-muted">{description}</p>
      <div className="mt-4">{children}</div>
    </section>
  );
}

/** When something was used or paid; 'N/A' where that is not known. */
export function When({ instant }: { instant: string | null }) {
  return instant === null ? <>N/A</> : <time dateTime={instant}>{formatInstant(instant)}</time>;
}
