import { isUtf8 } from 'node:buffer';
import { createCopyRows } from './copy-rows.ts';
import { DumpRefused } from './dump-refused.ts';
import { createStatementLexer } from './statement-lexer.ts';

/** A part of a dump. Rows follow the statement that takes them, and end with `rowsEnd`. */
export type DumpPart =
  | { kind: 'statement'; sql: string; line: number; takesRows: boolean }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'rowsEnd' };

/** Bytes of a statement. */
const MAX_STATEMENT = 16 * 1024 * 1024;
/** Bytes of a line with a command of psql. */
const MAX_COMMAND = 4096;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** Between these, pg_dump has psql do nothing but what it wrote itself; here, no command does anything. */
const IGNORED_COMMAND = /^\\(un)?restrict(\s|$)/;

/**
 * Takes a plain dump apart into statements, however its bytes come, holding no more than one statement. Throws
 * `DumpRefused` for what is none, for commands of psql, and where it ends within a statement or its rows.
 */
export async function* splitDump(source: AsyncIterable<Uint8Array>): AsyncGenerator<DumpPart> {
  const splitter = createSplitter();
  for await (const chunk of withoutMark(source)) yield* splitter.read(chunk);
  yield* splitter.end();
}

async function* withoutMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const { buffer, byteOffset, byteLength } of source) {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    if (!start) {
      yield bytes;
      continue;
    }
    start = Buffer.concat([start, bytes]);
    if (start.length < BYTE_ORDER_MARK.length) continue;
    yield start.indexOf(BYTE_ORDER_MARK) === 0 ? start.subarray(BYTE_ORDER_MARK.length) : start;
    start = undefined;
  }
  if (start) yield start;
}

/** Reads some of a chunk from `at`; returns where it has stopped, which is before the end where another reader goes on. */
type Reader = (chunk: Buffer, at: number) => Generator<DumpPart, number> | number;

function createSplitter() {
  let line = 1;
  let began = 1;
  let lexer = createStatementLexer();
  let rows = createCopyRows();
  let held = createHeld();

  const inStatement: Reader = function* (chunk, at) {
    let from = at;
    for (let place = at; place < chunk.length; place++) {
      const byte = chunk[place] ?? 0;
      if (byte === 0) throw new DumpRefused(`Line ${line} has a zero byte. This is no dump in plain SQL.`);
      const meaning = lexer.next(byte);
      if (byte === NEWLINE) line++;
      if (meaning === 'command') {
        reader = inCommand;
        return place;
      }
      if (lexer.isBlank()) {
        held = createHeld();
        from = place + 1;
        began = line;
      }
      if (meaning !== 'end') continue;
      held.add(chunk.subarray(from, place + 1), began);
      const takesRows = lexer.takesRows();
      const sql = held.text(began);
      reader = takesRows ? besideRows : inStatement;
      begin();
      if (sql !== ';') yield { kind: 'statement', sql, line: began, takesRows };
      began = line;
      return place + 1;
    }
    held.add(chunk.subarray(from), began);
    return chunk.length;
  };

  /** Rows begin with the next line. */
  const besideRows: Reader = (chunk, at) => {
    const end = chunk.indexOf(NEWLINE, at);
    if (chunk.toString('latin1', at, end === -1 ? chunk.length : end).trim() !== '') {
      throw new DumpRefused(`Line ${line} has something beside a COPY whose rows follow.`);
    }
    if (end === -1) return chunk.length;
    line++;
    rows = createCopyRows();
    reader = inRows;
    return end + 1;
  };

  const inRows: Reader = function* (chunk, at) {
    const { bytes, taken, isEnd, lines } = rows.take(chunk.subarray(at));
    line += lines;
    if (bytes.length > 0) yield { kind: 'rows', bytes };
    if (isEnd) {
      yield { kind: 'rowsEnd' };
      reader = inStatement;
      began = line;
    }
    return at + taken;
  };

  const inCommand: Reader = (chunk, at) => {
    const end = chunk.indexOf(NEWLINE, at);
    held.add(chunk.subarray(at, end === -1 ? chunk.length : end), line);
    if (held.size() > MAX_COMMAND) refuseCommand('', line);
    if (end === -1) return chunk.length;
    endCommand();
    line++;
    began = line;
    reader = inStatement;
    return end + 1;
  };

  function endCommand(): void {
    const command = held.text(line);
    if (!IGNORED_COMMAND.test(command)) refuseCommand(command, line);
    begin();
  }

  function begin(): void {
    lexer = createStatementLexer();
    held = createHeld();
  }

  let reader: Reader = inStatement;
  return {
    *read(chunk: Buffer): Generator<DumpPart> {
      for (let at = 0; at < chunk.length; ) {
        const next = reader(chunk, at);
        at = typeof next === 'number' ? next : yield* next;
      }
    },
    /** All was read. */
    *end(): Generator<DumpPart> {
      if (reader === inCommand) return endCommand();
      if (reader === besideRows || (reader === inRows && !rows.endsHere())) {
        throw new DumpRefused(`The dump ends within the rows of a table, in line ${line}. It was cut off.`);
      }
      if (reader === inRows) yield { kind: 'rowsEnd' };
      else if (held.size() > 0 && !lexer.endsBlank()) {
        throw new DumpRefused(
          `The dump ends within the statement that begins in line ${began}. It was cut off.`,
        );
      }
    },
  };
}

function refuseCommand(command: string, line: number): never {
  const name = /^\\(?:[a-z]+|.)/i.exec(command)?.[0] ?? '\\';
  if (name === '\\connect' || name === '\\c') {
    throw new DumpRefused(
      `Line ${line} goes to another database (${name}). Make the dump of one database, without --create.`,
    );
  }
  throw new DumpRefused(
    `Line ${line} has ${name}, a command of psql. Only SQL is run here: make the dump with pg_dump.`,
  );
}

/** The bytes of a statement that have come so far. */
function createHeld() {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    size: () => size,
    /** `line`: where it begins. A copy is kept: a source may use its bytes again. */
    add(bytes: Buffer, line: number): void {
      size += bytes.length;
      if (size > MAX_STATEMENT) {
        throw new DumpRefused(`The statement that begins in line ${line} is longer than 16 MB.`);
      }
      if (bytes.length > 0) pieces.push(Buffer.from(bytes));
    },
    text(line: number): string {
      const bytes = Buffer.concat(pieces);
      if (isUtf8(bytes)) return bytes.toString().trim();
      throw new DumpRefused(
        `The statement that begins in line ${line} is not in UTF-8. Make the dump with pg_dump --encoding=UTF8.`,
      );
    },
  };
}
