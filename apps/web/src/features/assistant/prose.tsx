import type { ComponentProps, CSSProperties } from 'react';
import Markdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { classNames } from '../../ui/class-names.ts';
import { AnswerCode } from './answer-code.tsx';
import { AnswerLink } from './answer-link.tsx';

/** A single tilde is that of '~5 minutes'. */
const PLUGINS: ComponentProps<typeof Markdown>['remarkPlugins'] = [[remarkGfm, { singleTilde: false }]];

const ALLOWED = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'br', 'blockquote', 'ul', 'ol', 'li', 'input'],
  ...['strong', 'em', 'del', 'code', 'pre', 'a', 'img'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

type Node = ExtraProps['node'];

/** The words in an element. */
function wordsOf(node: Node): string {
  const words = (node?.children ?? []).map((child) => {
    if (child.type === 'text') return child.value;
    return child.type === 'element' ? wordsOf(child) : '';
  });
  return words.join('');
}

function Code({ node }: ExtraProps) {
  const code = node?.children[0];
  const classes = code?.type === 'element' ? code.properties.className : undefined;
  const name = Array.isArray(classes) ? String(classes[0]) : '';
  return <AnswerCode language={name.replace('language-', '').toLowerCase()} code={wordsOf(node).trimEnd()} />;
}

function Heading({ children }: ComponentProps<'h3'>) {
  return <h3 className="mt-2 break-words font-semibold first:mt-0">{children}</h3>;
}

function Subheading({ children }: ComponentProps<'h4'>) {
  return <h4 className="mt-1 break-words font-semibold first:mt-0">{children}</h4>;
}

function alignment(style: CSSProperties | undefined): string {
  if (style?.textAlign === 'right') return 'text-right';
  return style?.textAlign === 'center' ? 'text-center' : 'text-left';
}

/** How each element is drawn. None has an address: neither pictures nor links lead anywhere but to our own pages. */
const COMPONENTS: Components = {
  a: ({ node, href = '', children }) => (
    <AnswerLink href={href} words={wordsOf(node)}>
      {children}
    </AnswerLink>
  ),
  img: ({ src, alt = '' }) => (
    <span className="break-all text-muted">
      [{alt || 'picture'}] {typeof src === 'string' && `(${src})`}
    </span>
  ),
  pre: Code,
  h1: Heading,
  h2: Heading,
  h3: Subheading,
  h4: Subheading,
  h5: Subheading,
  h6: Subheading,
  p: ({ children }) => <p className="break-words">{children}</p>,
  code: ({ children }) => (
    <code className="break-words rounded-sm bg-hover px-1 py-0.5 text-sm">{children}</code>
  ),
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  blockquote: ({ children }) => (
    <blockquote className="border-line-strong border-l-2 pl-3 text-muted">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  ul: ({ className, children }) => (
    <ul
      className={classNames(
        'flex flex-col gap-1.5',
        className?.includes('task-list') ? 'list-none pl-1' : 'list-disc pl-6',
      )}
    >
      {children}
    </ul>
  ),
  ol: ({ start, children }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1.5 pl-6">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="min-w-0 break-words pl-1 marker:text-faint">{children}</li>,
  input: ({ checked }) => (checked ? '☑' : '☐'),
  table: ({ children }) => (
    // biome-ignore lint/a11y/useSemanticElements: no landmark, for there may be many, and nothing to fill in
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label="Table"
      className="max-w-full overflow-x-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse text-sm">{children}</table>
    </section>
  ),
  th: ({ style, children }) => (
    <th
      className={classNames(
        'whitespace-nowrap border-line border-b bg-sunken px-3 py-2 font-medium text-muted',
        alignment(style),
      )}
    >
      {children}
    </th>
  ),
  td: ({ style, children }) => (
    <td
      className={classNames(
        'min-w-24 border-line border-b px-3 py-2 align-top tabular-nums',
        alignment(style),
      )}
    >
      {children}
    </td>
  ),
};

/** One block of Markdown, or several. Raw HTML stays text. */
export function Prose({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Markdown
        remarkPlugins={PLUGINS}
        components={COMPONENTS}
        allowedElements={ALLOWED}
        unwrapDisallowed
        // Addresses are shown, never followed: see `COMPONENTS`.
        urlTransform={(address) => address}
      >
        {text}
      </Markdown>
    </div>
  );
}
