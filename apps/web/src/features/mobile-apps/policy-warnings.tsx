import type { PolicyWarning } from '@nephos/contracts';
import { ExternalLink } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';

/** What a store or a platform would refuse. It blocks nothing here. */
export function PolicyWarnings({ warnings }: { warnings: readonly PolicyWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" title="Before you publish">
      <ul className="mt-1 flex flex-col gap-2 text-sm">
        {warnings.map((warning) => (
          <li key={warning.rule}>
            <p className="text-fg">{warning.message}</p>
            <Origin warning={warning} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Origin({ warning: { rule, since, source } }: { warning: PolicyWarning }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-xs">
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
  );
}
