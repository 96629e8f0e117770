import type { ComponentProps } from 'react';
import Markdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../ui/code-block.tsx';

const HTTPS = /^https:\/\//;

function Heading({ children }: ComponentProps<'h3'>) {
  return <h3 className="mt-3 break-words font-semibold text-lg first:mt-0">{children}</h3>;
}

function Subheading({ children }: ComponentProps<'h4'>) {
  return <h4 className="mt-3 break-words font-semibold first:mt-0">{children}</h4>;
}

function Commands({ node }: ExtraProps) {
  const code = node?.children[0];
  const text = code?.type === 'element' ? code.children[0] : undefined;
  const commands = text?.type === 'text' ? text.value.trimEnd() : '';
  return <CodeBlock code={commands} label="commands" className="bg-surface!" />;
}

const COMPONENTS: Components = {
  h1: Heading,
  h2: Subheading,
  h3: Subheading,
  p: ({ children }) => <p className="max-w-prose break-words">{children}</p>,
  pre: Commands,
  code: ({ children }) => (
    <code className="break-words rounded-sm bg-hover px-1 py-0.5 text-sm">{children}</code>
  ),
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  ol: ({ start, children }) => (
    <ol start={start} className="flex list-decimal flex-col gap-3 pl-6">
      {children}
    </ol>
  ),
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1.5 pl-6">{children}</ul>,
  li: ({ children }) => <li className="space-y-3 break-words pl-1 marker:text-faint">{children}</li>,
  a: ({ href = '', children }) =>
    HTTPS.test(href) ? (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all rounded-sm text-accent-text underline underline-offset-4"
      >
        {children}
      </a>
    ) : (
      children
    ),
};

/** Build instructions laid out for reading: no HTML and no pictures; only https addresses become links. */
export function Instructions({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS} disallowedElements={['img']}>
        {text}
      </Markdown>
    </div>
  );
}
