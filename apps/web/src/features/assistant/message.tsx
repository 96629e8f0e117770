import type { AssistantMessage } from '@nephos/contracts';
import { ChevronRight, Wrench } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Answer } from './answer.tsx';

/** One message of a conversation. */
export const Message = memo(function Message({ message }: { message: AssistantMessage }) {
  const { sender, content, metadata } = message;
  switch (sender) {
    case 'user':
      return <Question text={content} />;
    case 'tool':
      return <ToolResult name={metadata.toolName} content={content} />;
    case 'assistant':
      return (
        <Bubble by="Assistant">
          <Answer text={content} />
          {metadata.truncated && <p className="mt-2 text-faint text-sm">This answer was cut off.</p>}
          {content !== '' && <CopyButton value={content} label="Copy answer" className="mt-1 -ml-2" />}
        </Bubble>
      );
  }
});

/** What the person asked; plain text. */
export function Question({ text }: { text: string }) {
  return (
    <article
      aria-label="You"
      className="max-w-[85%] self-end whitespace-pre-wrap break-words rounded-xl bg-accent-soft px-3.5 py-2.5"
    >
      {text}
    </article>
  );
}

export function Bubble({ by, children }: { by: string; children: ReactNode }) {
  return (
    <article aria-label={by} className="min-w-0 self-stretch leading-relaxed">
      {children}
    </article>
  );
}

/** The name of a tool that was or is being called. */
export function ToolBadge({ name }: { name: string | undefined }) {
  return (
    <Badge icon={<Wrench aria-hidden="true" />} className="max-w-full">
      <span className="truncate">{name ?? 'tool'}</span>
    </Badge>
  );
}

/** What a tool answered; out of the way until somebody wants to see it. */
function ToolResult({ name, content }: { name: string | undefined; content: string }) {
  return (
    <article aria-label="Tool" className="min-w-0 self-stretch [&+&]:-mt-2.5">
      <details className="group">
        <summary className="flex w-fit max-w-full cursor-pointer list-none items-center gap-1.5 rounded-md text-muted text-sm hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-3.5 shrink-0 transition-transform group-open:rotate-90"
          />
          <ToolBadge name={name} />
        </summary>
        <pre className="mt-2 whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken p-3 text-muted text-sm">
          {content}
        </pre>
      </details>
    </article>
  );
}
