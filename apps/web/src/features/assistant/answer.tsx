import { lazy, memo, Suspense, useMemo } from 'react';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { type AnswerBlock, splitAnswer } from './answer-blocks.ts';
import { AnswerCode } from './answer-code.tsx';

const loadProse = () => import('./prose.tsx');
const Prose = lazy(() => loadProse().then(({ Prose }) => ({ default: Prose })));

/** Fetches what lays answers out ahead of the first one. */
export function preloadProse(): void {
  loadProse().catch(() => {});
}

/**
 * UTF-16 units of a block that is still laid out. Parsing takes time by the square of the length at worst, and the
 * worst may be what is sent.
 */
const MAX_PROSE = 8192;

/** An answer laid out for reading. Only what changed since the last time is laid out anew. */
export function Answer({ text }: { text: string }) {
  const blocks = useMemo(() => splitAnswer(text), [text]);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {blocks.map((block, index) => (
        <Block key={index} {...block} />
      ))}
    </div>
  );
}

const Block = memo(function Block(block: AnswerBlock) {
  if (block.kind === 'code') return <AnswerCode language={block.language} code={block.code} />;
  const plain = <p className="whitespace-pre-wrap break-words">{block.text}</p>;
  if (block.text.length > MAX_PROSE) return plain;
  return (
    // Text that breaks its parser, such as a thousand nested quotations, is shown as it is.
    <ErrorBoundary fallback={() => plain}>
      <Suspense fallback={plain}>
        <Prose text={block.text} />
      </Suspense>
    </ErrorBoundary>
  );
});
