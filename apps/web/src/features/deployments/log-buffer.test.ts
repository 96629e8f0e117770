import type { LogChunk } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { LogBuffer, MAX_LINES } from './log-buffer.ts';

function filled(...chunks: [stream: LogChunk['stream'], text: string][]): LogBuffer {
  const buffer = new LogBuffer();
  chunks.forEach(([stream, text], seq) => {
    buffer.add({ seq, stream, text, at: '2026-11-20T10:00:00.000Z' });
  });
  return buffer;
}

const texts = (buffer: LogBuffer) => buffer.lines.map((line) => line.text);

describe('LogBuffer', () => {
  it('joins what was broken between chunks and keeps empty lines', () => {
    expect(texts(filled(['stdout', 'one\n\ntw'], ['stdout', 'o\nthr'], ['stdout', 'ee']))).toEqual([
      'one',
      '',
      'two',
      'three',
    ]);
  });

  it('lets each stream write its own line', () => {
    const buffer = filled(['stdout', 'out '], ['stderr', 'err '], ['stdout', 'more\n'], ['stderr', 'more\n']);
    expect(buffer.lines.map(({ stream, text }) => [stream, text])).toEqual([
      ['stdout', 'out more'],
      ['stderr', 'err more'],
    ]);
  });

  it('leaves out chunks that it has, as after a reconnection', () => {
    const buffer = filled(['stdout', 'one\n'], ['stdout', 'two\n']);
    buffer.add({ seq: 0, stream: 'stdout', text: 'one\n', at: '' });
    buffer.add({ seq: 2, stream: 'stdout', text: 'three\n', at: '' });
    expect(texts(buffer)).toEqual(['one', 'two', 'three']);
  });

  it('begins a line anew at a carriage return, but not at the one of a line end', () => {
    expect(texts(filled(['stdout', '10%\r20%'], ['stdout', '\r30%\r\nnext\r\n']))).toEqual([
      '30%\r',
      'next\r',
    ]);
  });

  it('carries a colour that was left open to the next line of the same stream', () => {
    const red = '\u001b[31m';
    const buffer = filled(
      ['stderr', `${red}broken\nstill\n`],
      ['stdout', 'fine\n'],
      ['stderr', 'end\u001b[0m\nplain\n'],
    );
    expect(texts(buffer)).toEqual([`${red}broken`, `${red}still`, 'fine', `${red}end\u001b[0m`, 'plain']);
  });

  it('lets the oldest lines go and goes on counting', () => {
    const buffer = filled(['stdout', 'x\n'.repeat(MAX_LINES + 20_000)], ['stdout', 'last\n']);
    expect(buffer.lines).toHaveLength(MAX_LINES + 1);
    expect(buffer.dropped).toBe(20_000);
    expect(buffer.lines.at(-1)).toMatchObject({ text: 'last', number: MAX_LINES + 20_000 });
  });

  it('keeps a reasonable part of a line without end', () => {
    const buffer = filled(['stdout', 'x'.repeat(100_000)], ['stdout', 'y'.repeat(100_000)]);
    expect(buffer.lines).toHaveLength(1);
    expect(buffer.longest).toBe(4000);
  });
});
