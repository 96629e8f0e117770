import type { LogLine as StoredLine } from '@nephos/contracts';
import type { LogLine } from '../../lib/log-lines.tsx';

/** Lines kept while a log is followed; the oldest go first. */
const MAX_LINES = 50_000;
/** Lines let go at once, so that it happens rarely. */
const SURPLUS = 5000;
/** Characters shown of one line. */
const MAX_LENGTH = 4000;

/** The lines of a project's log that a page shows: older ones come before them, new ones after. */
export class ProjectLog {
  lines: LogLine[] = [];
  /** Characters of the longest line, and of the longest source. */
  longest = 0;
  sourceWidth = 0;
  /** Lines that were left out because they came too fast. */
  skipped = 0;
  /** Whether the oldest lines were let go to make room. */
  isCut = false;

  constructor(lines: readonly StoredLine[]) {
    this.append(lines);
  }

  append(lines: readonly StoredLine[]): void {
    const last = this.lines.at(-1)?.number ?? -1;
    this.lines.push(...this.#shown(lines.filter(({ line }) => line > last)));
    if (this.lines.length <= MAX_LINES + SURPLUS) return;
    this.lines = this.lines.slice(-MAX_LINES);
    this.isCut = true;
  }

  prepend(lines: readonly StoredLine[]): void {
    const first = this.lines[0]?.number ?? Number.POSITIVE_INFINITY;
    this.lines = [...this.#shown(lines.filter(({ line }) => line < first)), ...this.lines];
  }

  #shown(lines: readonly StoredLine[]): LogLine[] {
    return lines.map(({ line, at, stream, process, instance, text }) => {
      const source = process === null ? '' : `${process}.${instance ?? 1}`;
      // A terminal shows of a line that was written over only what came last.
      const shown = text.slice(text.lastIndexOf('\r') + 1, MAX_LENGTH + text.lastIndexOf('\r') + 1);
      this.longest = Math.max(this.longest, shown.length);
      this.sourceWidth = Math.max(this.sourceWidth, source.length);
      return { number: line, at, stream, source, text: shown };
    });
  }
}
