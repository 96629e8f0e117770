import type { LogChunk } from '@nephos/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type RefObject,
  type UIEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ansiSpans } from './ansi.ts';
import type { LogLine as Line } from './log-buffer.ts';
import { type MarkedSpan, markMatches } from './mark-matches.ts';
import './log.css';

/** Pixels; every line has the same height, so that those out of sight need not be measured. */
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
  lines: readonly Line[];
  /** Changes whenever `lines`, which is changed in place, did. */
  version: number;
  /** Characters of the longest line. */
  longest: number;
  /** Lower-case text to mark. */
  search: string;
}

/**
 * The lines in a frame that scrolls; only those in sight exist. It stays at the end as the log grows, until one
 * scrolls up.
 */
export function LogLines({ lines, version, longest, search }: LogLinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ ...WINDOW, count: lines.length, getScrollElement: () => frame.current });
  const { following, look, follow } = useFollowing(
    frame,
    `${version} ${lines.length} ${rows.scrollRect?.height}`,
  );
  const inSight = rows.getVirtualItems();

  return (
    <div className="relative">
      <div
        ref={frame}
        role="log"
        aria-live="off"
        aria-label="Deployment log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
        tabIndex={0}
        onScroll={look}
        className="ansi-log h-[clamp(18rem,calc(100dvh-28rem),56rem)] overflow-auto bg-sunken font-mono text-sm leading-5 focus-visible:-outline-offset-2"
      >
        <div
          className="relative min-w-full"
          style={{ height: rows.getTotalSize(), width: `calc(${longest}ch + 8rem)` }}
        >
          <div className="absolute inset-x-0" style={{ top: inSight[0]?.start }}>
            {inSight.map(({ index }) => {
              const line = lines[index];
              return line && <LogLine key={line.number} line={line} search={search} />;
            })}
          </div>
        </div>
      </div>
      {!following && <JumpToLatest onJump={follow} />}
    </div>
  );
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

interface LogLineProps {
  line: Line;
  /** Lower-case text to mark. */
  search: string;
}

/** One line of the log. What the platform says and what went to stderr differ from the rest by edge and colour. */
const LogLine = memo(function LogLine({ line: { stream, text, at }, search }: LogLineProps) {
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
