import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { type Block, parseBlocks } from './markdown-blocks.ts';

/** Instructions laid out for reading. Text stays text: no HTML, no pictures; only https addresses become links. */
export function Markdown({ text }: { text: string }) {
  return <Blocks blocks={parseBlocks(text)} />;
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} />
      ))}
    </div>
  );
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 1 ? 'h3' : 'h4';
      return (
        <Heading
          className={classNames('mt-3 break-words font-semibold first:mt-0', block.level === 1 && 'text-lg')}
        >
          <Line text={block.text} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p className="max-w-prose break-words">
          <Line text={block.text} />
        </p>
      );
    case 'code':
      return <CodeBlock code={block.code} label="commands" className="bg-surface!" />;
    case 'list': {
      const items = block.items.map((blocks, index) => (
        <li key={index} className="pl-1 marker:text-faint">
          <Blocks blocks={blocks} />
        </li>
      ));
      return block.ordered ? (
        <ol start={block.start} className="flex list-decimal flex-col gap-3 pl-6">
          {items}
        </ol>
      ) : (
        <ul className="flex list-disc flex-col gap-1.5 pl-6">{items}</ul>
      );
    }
  }
}

/** Of a line: code in backticks, **strong** words, bare https addresses, and punctuation after a backslash. */
const SPANS = /(`[^`]+`|\*\*[^*]+\*\*|https:\/\/[^\s<>)`]*[^\s<>)`.,;:]|\\[!-/:-@[-`{-~])/;

function Line({ text }: { text: string }) {
  return text.split(SPANS).map((span, index) => <Span key={index} span={span} />);
}

function Span({ span }: { span: string }) {
  if (/^`[^`]+`$/.test(span)) {
    return <code className="break-words rounded-sm bg-hover px-1 py-0.5 text-sm">{span.slice(1, -1)}</code>;
  }
  if (/^\*\*[^*]+\*\*$/.test(span)) return <strong className="font-semibold">{span.slice(2, -2)}</strong>;
  if (span.startsWith('https://')) {
    return (
      <a
        href={span}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all rounded-sm text-accent-text underline underline-offset-4"
      >
        {span}
      </a>
    );
  }
  return /^\\.$/.test(span) ? span.slice(1) : span;
}
