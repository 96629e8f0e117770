import type { LogChunk } from '@nephos/contracts';
import { type CSSProperties, memo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { ansiSpans } from './ansi.ts';
import type { LogLine as Line } from './log-buffer.ts';
import { type MarkedSpan, markMatches } from './mark-matches.ts';

/** Pixels; every line has the same height, so that those out of sight need not exist. */
export const LINE_HEIGHT = 20;

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const STREAMS: Record<LogChunk['stream'], string> = {
  stdout: 'border-transparent',
  stderr: 'border-danger bg-danger-soft/35',
  system: 'border-accent-text font-semibold text-accent-text',
};

export interface LogLineProps {
  line: Line;
  /** Lower-case text to mark. */
  search: string;
}

/** One line of the log. What the platform says and what went to stderr differ from the rest by edge and colour. */
export const LogLine = memo(function LogLine({ line: { stream, text, at }, search }: LogLineProps) {
  return (
    <div
      data-stream={stream}
      style={{ height: LINE_HEIGHT }}
      className={classNames('flex whitespace-pre border-l-2 pr-4', STREAMS[stream])}
    >
      <time dateTime={at} className="w-24 shrink-0 select-none pl-3 font-normal text-faint max-sm:hidden">
        {clock.format(Date.parse(at))}
      </time>
      <span className="max-sm:pl-3">
        {markMatches(ansiSpans(text.replace(/\r$/, '')), search).map((span, index) => (
          <Span key={index} span={span} />
        ))}
      </span>
    </div>
  );
});

function Span({ span: { text, className, color, background, marked } }: { span: MarkedSpan }) {
  // React's types know no custom properties; `log.css` reads these two.
  const own = { '--ansi-own': color, '--ansi-ground': background } as CSSProperties;
  return (
    <span className={className} style={own}>
      {marked ? <mark className="rounded-sm bg-warning text-canvas">{text}</mark> : text}
    </span>
  );
}
