import { type ReactNode, useId } from 'react';
import { trpc } from '../../lib/trpc.ts';

export interface PersonPartProps {
  title: string;
  about: ReactNode;
  /** The way to do it. */
  children: ReactNode;
}

/** One thing that an admin can do about a person. */
export function PersonPart({ title, about, children }: PersonPartProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 last:pb-0"
    >
      <div className="min-w-0 grow basis-60">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        <p className="mt-0.5 text-muted text-sm">{about}</p>
      </div>
      {children}
    </section>
  );
}

/** Lists that show what is changed about a person. */
export function usePersonLists() {
  const { admin } = trpc.useUtils();
  return [admin.users, admin.totals];
}
