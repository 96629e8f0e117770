import { ExternalLink } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';

export interface AppLinkProps {
  /** Where the app answers. */
  url: string;
  className?: string;
}

/** The app's address, which opens it. */
export function AppLink({ url, className }: AppLinkProps) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={classNames(
        'inline-flex min-w-0 max-w-full items-center gap-1.5 rounded-sm text-accent-text text-sm underline-offset-4 hover:underline',
        className,
      )}
    >
      <span className="truncate">{url.replace(/^https?:\/\//, '').replace(/\/$/, '')}</span>
      <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
    </a>
  );
}
