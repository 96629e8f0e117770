import type { ReactNode } from 'react';
import { useWindowTitle } from './use-window-title.ts';

export interface PageHeaderProps {
  title: string;
  /** One line that says what the page is for. */
  description: ReactNode;
  /** The primary action. */
  action?: ReactNode;
}

/** What each page begins with; its title is the window's too. */
export function PageHeader({ title, description, action }: PageHeaderProps) {
  useWindowTitle(title);

  return (
    <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 grow basis-72">
        <h1 className="break-words font-semibold text-2xl tracking-tight">{title}</h1>
        <p className="mt-1 text-muted">{description}</p>
      </div>
      {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
    </header>
  );
}
