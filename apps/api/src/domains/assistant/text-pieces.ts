/** UTF-16 units of text from which a piece is not added to. */
const PIECE_LENGTH = 1024;
/** Milliseconds for which words are gathered into one piece. */
const GATHER_MS = 100;

/** Gathers words into pieces. */
export interface TextPieces {
  add(words: string): void;
  /** Gives what was gathered now. */
  flush(): void;
  /** Lets go of what was gathered. */
  end(): void;
}

/** The first words are a piece at once; what follows is gathered for a moment. Half characters wait for the other half. */
export function gatherText(give: (text: string) => void): TextPieces {
  let gathered = '';
  let isFirst = true;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const half = /[\ud800-\udbff]$/.exec(gathered)?.[0] ?? '';
    const text = storable(gathered.slice(0, gathered.length - half.length));
    gathered = half;
    if (text === '') return;
    isFirst = false;
    give(text);
  }

  return {
    add(words) {
      gathered += words;
      if (isFirst || gathered.length >= PIECE_LENGTH) flush();
      else timer ??= setTimeout(flush, GATHER_MS);
    },
    flush,
    end: () => clearTimeout(timer),
  };
}

/** Without what PostgreSQL cannot hold: U+0000 and halves of characters. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
