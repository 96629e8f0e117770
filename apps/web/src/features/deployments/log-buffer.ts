import type { LogChunk } from '@nephos/contracts';
import { openStyle } from '../../lib/ansi.ts';
import type { LogLine } from '../../lib/log-lines.tsx';

/** Lines kept; the oldest go first. */
export const MAX_LINES = 200_000;
/** Lines let go at once, so that it happens rarely. */
const SURPLUS = 10_000;
/** Characters kept of one line. */
const MAX_LENGTH = 4000;

/**
 * Makes lines of a log's chunks, which break anywhere. Each stream writes its own line; a carriage return begins the
 * line anew, as progress bars do. Chunks that were seen before, as after a reconnection, are left out.
 */
export class LogBuffer {
  /** Lines in order; changed in place. */
  readonly lines: LogLine[] = [];
  /** Lines that were let go. */
  dropped = 0;
  /** Characters of the longest line. */
  longest = 0;
  #lastSeq = Number.NEGATIVE_INFINITY;
  #open: Partial<Record<LogChunk['stream'], number>> = {};
  #style: Partial<Record<LogChunk['stream'], string>> = {};

  add(chunk: LogChunk): void {
    if (chunk.seq <= this.#lastSeq) return;
    this.#lastSeq = chunk.seq;
    const parts = chunk.text.split('\n');
    const rest = parts.pop();
    for (const part of parts) {
      this.#write(chunk, part);
      this.#close(chunk.stream);
    }
    if (rest) this.#write(chunk, rest);
    if (this.lines.length > MAX_LINES + SURPLUS) {
      this.dropped += this.lines.splice(0, this.lines.length - MAX_LINES).length;
    }
  }

  #write({ stream, at }: LogChunk, part: string): void {
    const number = this.#open[stream] ?? this.dropped + this.lines.length;
    const index = number - this.dropped;
    // A line that was let go while it was open goes on as nothing.
    if (index < 0) return;
    const before = this.lines[index]?.text ?? this.#style[stream] ?? '';
    const text = restarted(before + part).slice(0, MAX_LENGTH);
    this.lines[index] = { number, stream, text, at };
    this.#open[stream] = number;
    this.longest = Math.max(this.longest, text.length);
  }

  #close(stream: LogChunk['stream']): void {
    const line = this.lines[(this.#open[stream] ?? 0) - this.dropped];
    this.#style[stream] = line ? openStyle(line.text) : '';
    delete this.#open[stream];
  }
}

/** What stands on a line after its carriage returns; one at the end waits for what overwrites. */
function restarted(text: string): string {
  if (!text.includes('\r')) return text;
  const waiting = text.endsWith('\r');
  const shown = waiting ? text.slice(0, -1) : text;
  return shown.slice(shown.lastIndexOf('\r') + 1) + (waiting ? '\r' : '');
}
