import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** One sentence that says what the thing is. */
  description: ReactNode;
  /** The first step: a button or a link. */
  action?: ReactNode;
}

/** What a list shows while it has nothing in it. */
export function EmptyState({ icon: Icon, title, description, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-xl border border-line-strong border-dashed px-6 py-16 text-center">
      <span className="flex size-12 items-center justify-center rounded-xl border border-line bg-surface text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <h2 className="mt-5 font-semibold text-lg">{title}</h2>
      <p className="mt-1.5 max-w-md text-balance text-muted">{description}</p>
      {action && <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
