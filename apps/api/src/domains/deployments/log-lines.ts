import { stripVTControlCharacters } from 'node:util';
import type { LogStream, ProcessOrigin } from './engine/engine.ts';
import { createStreamText } from './log-text.ts';
import { createMasking } from './mask.ts';

/** UTF-16 units after which a line without an end is one nevertheless. */
const LINE_LENGTH = 16 * 1024;
/** Milliseconds after which what was written of a line is one nevertheless: an app may ask for something. */
const PATIENCE = 1000;
/** Lines of a process that are remembered. */
const REMEMBERED = 20;

/** A line of a process, masked, without its newline. */
export interface AppLine {
  at: number;
  stream: LogStream;
  process: string;
  instance: number;
  text: string;
}

/** Makes lines of what processes write, secrets masked. */
export interface LogLines {
  push(origin: ProcessOrigin, stream: LogStream, text: string): void;
  /** What a process wrote last, without ANSI sequences. */
  lastOf(origin: ProcessOrigin): string;
  /** Gives out what has no end yet. */
  end(): void;
}

export function createLogLines(secrets: readonly string[], onLine: (line: AppLine) => void): LogLines {
  const masking = createMasking(secrets);
  const streams = new Map<string, ReturnType<typeof createLineStream>>();
  const remembered = new Map<string, string[]>();

  function openStream({ process, instance }: ProcessOrigin, stream: LogStream) {
    const key = keyOf({ process, instance });
    const last = remembered.get(key) ?? [];
    remembered.set(key, last);
    return createLineStream(createStreamText(masking()), (text) => {
      if (last.push(text) > REMEMBERED) last.shift();
      onLine({ at: Date.now(), stream, process, instance, text });
    });
  }

  return {
    push(origin, stream, text) {
      const key = `${keyOf(origin)} ${stream}`;
      let lines = streams.get(key);
      if (!lines) {
        lines = openStream(origin, stream);
        streams.set(key, lines);
      }
      lines.push(text);
    },
    lastOf(origin) {
      for (const lines of streams.values()) lines.hurry();
      return stripVTControlCharacters((remembered.get(keyOf(origin)) ?? []).join('\n'));
    },
    end() {
      for (const lines of streams.values()) lines.end();
    },
  };
}

function keyOf({ process, instance }: ProcessOrigin): string {
  return `${process} ${instance}`;
}

/** Cuts one stream into lines. */
function createLineStream(text: ReturnType<typeof createStreamText>, onLine: (line: string) => void) {
  let open = '';
  let openSince = 0;
  let timer: NodeJS.Timeout | undefined;

  function take(added: string): void {
    let from = 0;
    for (let at = added.indexOf('\n'); at !== -1; at = added.indexOf('\n', from)) {
      const line = open + added.slice(from, at);
      giveLong(line.endsWith('\r') ? line.slice(0, -1) : line);
      open = '';
      from = at + 1;
    }
    if (from === added.length) return;
    if (open === '') openSince = Date.now();
    open += added.slice(from);
    while (open.length > LINE_LENGTH) {
      onLine(open.slice(0, LINE_LENGTH));
      open = open.slice(LINE_LENGTH);
    }
    timer ??= setTimeout(giveOld, PATIENCE);
  }

  function giveLong(line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += LINE_LENGTH)
      onLine(line.slice(at, at + LINE_LENGTH));
  }

  function giveOld(): void {
    const rest = openSince + PATIENCE - Date.now();
    timer = open !== '' && rest > 0 ? setTimeout(giveOld, rest) : undefined;
    if (!timer) hurry();
  }

  function hurry(): void {
    if (open === '') return;
    onLine(open);
    open = '';
  }

  return {
    push: (raw: string) => take(text.push(raw)),
    hurry,
    end() {
      take(text.flush());
      clearTimeout(timer);
      timer = undefined;
      hurry();
    },
  };
}
