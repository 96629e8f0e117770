import type { LogChunk } from '@nephos/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ansiSpans } from './ansi.ts';
import { type MarkedSpan, markMatches } from './mark-matches.ts';
import './log.css';

export interface LogLine {
  /** Position in the whole log. */
  number: number;
  stream: LogChunk['stream'];
  /** Text with its escape sequences, begun with the style that the line before left open. */
  text: string;
  at: string;
  /** Who wrote it, where there are several. */
  source?: string | undefined;
}

/** Pixels; every line that is not broken has the same height, so that those out of sight need not be measured. */
const LINE_HEIGHT = 20;

/** `overscan`: lines drawn beyond each edge of the frame. */
const WINDOW = { estimateSize: () => LINE_HEIGHT, overscan: 30 };

/** Pixels from the end that still count as the end. */
const SLACK = 24;

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

export interface LogLinesProps {
  label: string;
  lines: readonly LogLine[];
  /** Changes whenever `lines`, which is changed in place, did. */
  version: number;
  /** Characters of the longest line. */
  longest: number;
  /** Lower-case text to mark. */
  search: string;
  /** Whether long lines are broken. */
  wrap?: boolean;
  /** Stands before the first line. */
  before?: ReactNode;
  /** Characters of the longest source; 0: none is shown. */
  sourceWidth?: number;
}

/**
 * The lines in a frame that scrolls; only those in sight exist. It stays at the end as the log grows, until one
 * scrolls up.
 */
export function LogLines({ lines, version, longest, search, ...props }: LogLinesProps) {
  const { label, wrap = false, before, sourceWidth = 0 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useRows(frame, lines);
  const { following, look, follow } = useFollowing(
    frame,
    `${version} ${lines.length} ${rows.scrollRect?.height} ${rows.getTotalSize()}`,
  );
  useSteadyStart(frame, lines);
  const inSight = rows.getVirtualItems();

  return (
    <div className="relative">
      <div
        ref={frame}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
        tabIndex={0}
        onScroll={look}
        className="ansi-log h-[clamp(18rem,calc(100dvh-28rem),56rem)] overflow-auto bg-sunken font-mono text-sm leading-5 focus-visible:-outline-offset-2"
      >
        {before}
        <div
          className="relative min-w-full"
          style={{
            height: rows.getTotalSize(),
            width: wrap ? undefined : `calc(${longest + sourceWidth}ch + 8rem)`,
          }}
        >
          <div className="absolute inset-x-0" style={{ top: inSight[0]?.start }}>
            {inSight.map(({ index }) => (
              <Row
                key={lines[index]?.number ?? index}
                index={index}
                measure={wrap ? rows.measureElement : undefined}
                {...{ line: lines[index], search, wrap, sourceWidth }}
              />
            ))}
          </div>
        </div>
      </div>
      {!following && <JumpToLatest onJump={follow} />}
    </div>
  );
}

function useRows(frame: RefObject<HTMLElement | null>, lines: readonly LogLine[]) {
  const getItemKey = useCallback((index: number) => lines[index]?.number ?? index, [lines]);
  return useVirtualizer({
    ...WINDOW,
    count: lines.length,
    getItemKey,
    getScrollElement: () => frame.current,
  });
}

/** Keeps what is in sight where it is when lines come before it. */
function useSteadyStart(frame: RefObject<HTMLElement | null>, lines: readonly LogLine[]) {
  const first = lines[0]?.number;
  const before = useRef({ first, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const { first: known, height } = before.current;
    if (first !== undefined && known !== undefined && first < known) {
      element.scrollTop += element.scrollHeight - height;
    }
    before.current = { first, height: element.scrollHeight };
  });
}

/** Keeps a frame at its end with each change of `end`, while its end is in sight. */
function useFollowing(frame: RefObject<HTMLElement | null>, end: string) {
  const [following, setFollowing] = useState(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `end` stands for the sizes of the frame and of what is in it
  useLayoutEffect(() => {
    if (!frame.current) return;
    if (following) frame.current.scrollTop = frame.current.scrollHeight;
    // A frame that grows, or a log that is narrowed, brings the end into sight without a scroll event.
    else setFollowing(isAtEnd(frame.current));
  }, [frame, following, end]);

  return {
    following,
    look: ({ currentTarget }: UIEvent) => setFollowing(isAtEnd(currentTarget)),
    follow: () => setFollowing(true),
  };
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight <= SLACK;
}

function JumpToLatest({ onJump }: { onJump: () => void }) {
  return (
    <Button size="sm" variant="primary" className="absolute right-4 bottom-4" onClick={onJump}>
      <ArrowDown aria-hidden="true" />
      Jump to latest
    </Button>
  );
}

interface RowProps extends Omit<LineProps, 'line'> {
  /** Absent where the log was cut since it was measured. */
  line: LogLine | undefined;
  /** Its place among all lines, which the virtualizer reads from the element that it measures. */
  index: number;
  measure: ((element: HTMLElement | null) => void) | undefined;
}

function Row({ index, measure, line, ...look }: RowProps) {
  if (!line) return null;
  return (
    <div data-index={index} ref={measure}>
      <Line line={line} {...look} />
    </div>
  );
}

interface LineProps {
  line: LogLine;
  /** Lower-case text to mark. */
  search: string;
  wrap: boolean;
  sourceWidth: number;
}

/** One line of the log. What the platform says and what went to stderr differ from the rest by edge and colour. */
const Line = memo(function Line({ line, search, wrap, sourceWidth }: LineProps) {
  const { stream, text, at, source = '' } = line;
  return (
    <div
      data-stream={stream}
      style={{ [wrap ? 'minHeight' : 'height']: LINE_HEIGHT }}
      className={classNames(
        'flex border-l-2 pr-4',
        wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
        STREAMS[stream],
      )}
    >
      <time dateTime={at} className="w-24 shrink-0 select-none pl-3 font-normal text-faint max-sm:hidden">
        {clock.format(Date.parse(at))}
      </time>
      {sourceWidth > 0 && (
        <span
          className="shrink-0 select-none pr-3 font-normal text-muted max-sm:pl-3"
          style={{ width: `calc(${sourceWidth}ch + 0.75rem)`, boxSizing: 'content-box' }}
        >
          {source}
        </span>
      )}
      <span className={classNames('min-w-0', sourceWidth === 0 && 'max-sm:pl-3')}>
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
