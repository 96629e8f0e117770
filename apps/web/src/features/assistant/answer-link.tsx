import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { isConsolePage } from '../../shell/navigation.ts';
import { useMobile } from '../../shell/use-media.ts';

/** The console's page of an address; undefined where it leads elsewhere. What follows its path is left out. */
export function consolePageOf(address: string): string | undefined {
  if (!address.startsWith('/') || !URL.canParse(address, window.location.origin)) return undefined;
  const { origin, pathname } = new URL(address, window.location.origin);
  const ours = origin === window.location.origin && (pathname === '/' || isConsolePage(pathname));
  return ours ? pathname : undefined;
}

export interface AnswerLinkProps {
  href: string;
  /** What it reads, without its looks. */
  words: string;
  children: ReactNode;
}

/** A link to one of our pages. One to elsewhere is its words and its address: whoever wrote it may mean ill. */
export function AnswerLink({ href, words, children }: AnswerLinkProps) {
  const { close } = useAssistant();
  const covered = useMobile();
  const page = consolePageOf(href);
  if (page !== undefined) {
    return (
      <Link
        to={page}
        preload={false}
        onClick={() => covered && close()}
        className="rounded-sm text-accent-text underline underline-offset-4"
      >
        {children}
      </Link>
    );
  }
  const told = href === words || href === `http://${words}` || href === `mailto:${words}`;
  return (
    <span className="break-words">
      {children}
      {!told && <span className="break-all text-muted"> ({href})</span>}
    </span>
  );
}
