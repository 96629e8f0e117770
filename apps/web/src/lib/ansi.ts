import Anser from 'anser';

/** A run of text in one style. */
export interface AnsiSpan {
  text: string;
  /** Class names of `log.css`. */
  className: string;
  /** CSS colours that the program chose beyond the sixteen named ones. */
  color?: string;
  background?: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const STYLE_CODE = /\u001b\[([0-9;]*)m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: titles and links (OSC), and CSI codes that set no style
const OTHER_CODE = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;?]*[A-LN-Za-ln-z]/g;

/** Style codes kept from one line to the next, in characters; a program that never resets is not followed further. */
const MAX_STYLE = 200;

/** A line without any escape sequence. */
export function plainText(line: string): string {
  return line.includes('\u001b') ? line.replace(OTHER_CODE, '').replace(STYLE_CODE, '') : line;
}

/** The style codes still in force at a line's end, to begin the next line with. */
export function openStyle(line: string): string {
  let open = '';
  for (const [code, values] of line.matchAll(STYLE_CODE)) {
    open = values === '' || values === '0' ? '' : open + code;
  }
  return open.length > MAX_STYLE ? '' : open;
}

/** A line's text in its ANSI colours and decorations. */
export function ansiSpans(line: string): AnsiSpan[] {
  if (!line.includes('\u001b')) return line ? [{ text: line, className: '' }] : [];
  const entries = Anser.ansiToJson(line.replace(OTHER_CODE, ''), {
    json: true,
    use_classes: true,
    remove_empty: true,
  });
  return entries.map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => {
    const color = cssColor(fg, fg_truecolor);
    const background = cssColor(bg, bg_truecolor);
    const names = [
      fg && (color ? 'ansi-own-fg' : `${fg}-fg`),
      bg && (background ? 'ansi-own-ground' : `${bg}-bg`),
      ...decorations.map((name) => `ansi-${name}`),
    ];
    return {
      text: content,
      className: names.filter(Boolean).join(' '),
      ...(color && { color }),
      ...(background && { background }),
    };
  });
}

const PALETTE = /^ansi-palette-(\d+)$/;

function cssColor(name: string | null, truecolor: string | null): string | undefined {
  if (name === 'ansi-truecolor') return `rgb(${truecolor})`;
  const index = name?.match(PALETTE)?.[1];
  return index === undefined ? undefined : paletteColor(Number(index));
}

/** Entry 16 to 255 of xterm's palette: a cube of 6×6×6 colours, then 24 greys. */
function paletteColor(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  const red = level(Math.floor(cube / 36));
  const green = level(Math.floor(cube / 6) % 6);
  return `rgb(${red}, ${green}, ${level(cube % 6)})`;
}
