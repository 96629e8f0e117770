import { ArrowDown } from 'lucide-react';
import { useLayoutEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import type { LogLine as Line } from './log-buffer.ts';
import { LINE_HEIGHT, LogLine } from './log-line.tsx';
import { useScrollWindow } from './use-scroll-window.ts';
import './log.css';

/** Lines drawn beyond each edge of the frame. */
const OVERSCAN = 30;

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
  const { frame, sight, following, look, toEnd } = useScrollWindow();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the lines that changed in place
  useLayoutEffect(() => {
    if (following) toEnd();
  }, [version, lines.length, following]);

  const first = Math.max(0, Math.floor(sight.top / LINE_HEIGHT) - OVERSCAN);
  const last = Math.ceil((sight.top + sight.height) / LINE_HEIGHT) + OVERSCAN;
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
          style={{ height: lines.length * LINE_HEIGHT, width: `calc(${longest}ch + 8rem)` }}
        >
          <div className="absolute inset-x-0" style={{ top: first * LINE_HEIGHT }}>
            {lines.slice(first, last).map((line) => (
              <LogLine key={line.number} line={line} search={search} />
            ))}
          </div>
        </div>
      </div>
      {!following && (
        <Button size="sm" variant="primary" className="absolute right-4 bottom-4" onClick={toEnd}>
          <ArrowDown aria-hidden="true" />
          Jump to latest
        </Button>
      )}
    </div>
  );
}
