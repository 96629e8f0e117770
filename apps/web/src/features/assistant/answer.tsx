import { Component, lazy, memo, type ReactNode, Suspense, useMemo } from 'react';
import { type AnswerBlock, splitAnswer } from './answer-blocks.ts';
import { AnswerCode } from './answer-code.tsx';

const loadProse = () => import('./prose.tsx');
const Prose = lazy(() => loadProse().then(({ Prose }) => ({ default: Prose })));

/** Fetches what lays answers out ahead of the first one. */
export function preloadProse(): void {
  void loadProse();
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
    <Otherwise show={plain}>
      <Suspense fallback={plain}>
        <Prose text={block.text} />
      </Suspense>
    </Otherwise>
  );
});

interface OtherwiseProps {
  show: ReactNode;
  children: ReactNode;
}

/** Text that breaks its parser, such as a thousand nested quotations, is shown as it is. */
class Otherwise extends Component<OtherwiseProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? this.props.show : this.props.children;
  }
}
