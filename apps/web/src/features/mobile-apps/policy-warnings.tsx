import type { PolicyWarning } from '@nephos/contracts';
import { ExternalLink } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';

/** What a store would refuse. It blocks nothing here. */
export function PolicyWarnings({ warnings }: { warnings: readonly PolicyWarning[] }) {
  return warnings.map(({ rule, message, since, source }) => (
    <Notice key={rule} tone="warning" title={message}>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <code className="break-all">{rule}</code>
        <span>
          since <time dateTime={since}>{since}</time>
        </span>
        <a
          href={source}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1 rounded-sm text-accent-text underline underline-offset-4"
        >
          {new URL(source).hostname}
          <ExternalLink aria-hidden="true" className="size-3" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </p>
    </Notice>
  ));
}
