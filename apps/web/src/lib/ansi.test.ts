import { describe, expect, it } from 'vitest';
import { ansiSpans, openStyle, plainText } from './ansi.ts';

const ESC = '\u001b';

describe('ansiSpans', () => {
  it('is one span without escape sequences, markup included as text', () => {
    expect(ansiSpans('<img src=x onerror=alert(1)> & co')).toEqual([
      { text: '<img src=x onerror=alert(1)> & co', className: '' },
    ]);
  });

  it('names the sixteen colours and decorations', () => {
    expect(ansiSpans(`ok ${ESC}[1;32mgreen${ESC}[0m end`)).toEqual([
      { text: 'ok ', className: '' },
      { text: 'green', className: 'ansi-green-fg ansi-bold' },
      { text: ' end', className: '' },
    ]);
  });

  it('computes palette and true colours', () => {
    expect(ansiSpans(`${ESC}[38;5;196mred${ESC}[0m`)).toMatchObject([
      { text: 'red', color: 'rgb(255, 0, 0)' },
    ]);
    expect(ansiSpans(`${ESC}[38;5;244mgrey${ESC}[0m`)).toMatchObject([{ color: 'rgb(128, 128, 128)' }]);
    expect(ansiSpans(`${ESC}[48;2;1;2;3mon${ESC}[0m`)).toMatchObject([{ background: 'rgb(1, 2, 3)' }]);
  });

  it('leaves out cursor movements and links', () => {
    const line = `${ESC}[2K${ESC}[1Gdone ${ESC}]8;;https://example.com${ESC}\\here${ESC}]8;;${ESC}\\`;
    expect(
      ansiSpans(line)
        .map((span) => span.text)
        .join(''),
    ).toBe('done here');
  });
});

describe('plainText', () => {
  it('has no escape sequence left', () => {
    expect(plainText(`${ESC}[1mBuild${ESC}[22m ${ESC}[2Kdone`)).toBe('Build done');
  });
});

describe('openStyle', () => {
  it('is what no reset has ended', () => {
    expect(openStyle(`${ESC}[31ma${ESC}[0m${ESC}[1mb${ESC}[4mc`)).toBe(`${ESC}[1m${ESC}[4m`);
    expect(openStyle(`${ESC}[31ma${ESC}[m`)).toBe('');
  });

  it('gives up on a program that never resets', () => {
    expect(openStyle(`${ESC}[31m`.repeat(100))).toBe('');
  });
});
