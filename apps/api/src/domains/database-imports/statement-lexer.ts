import { createStatementWords } from './statement-words.ts';

/** What a byte is to the statement that it belongs to. */
type Meaning = 'in' | 'end' | 'command';

/** Reads one statement as PostgreSQL's own lexer does, byte by byte, so that it may be cut anywhere. */
export interface StatementLexer {
  /** `end`: the semicolon that ends it; `command`: a backslash where it begins a command of psql. */
  next(byte: number): Meaning;
  /** Whether there was nothing but blanks and whole comments so far. */
  isBlank(): boolean;
  /** Whether nothing but that would be left if all ended here. */
  endsBlank(): boolean;
  /** Whether rows for `copy … from stdin` follow. */
  takesRows(): boolean;
}

/** What is done with the next byte; answers what is done with the one after it. */
type State = (byte: number) => State;

const [QUOTE, DOUBLE, DOLLAR, DASH, SLASH, STAR, BACKSLASH, SEMICOLON, OPEN, CLOSE, NEWLINE, RETURN] = [
  ...'\'"$-/*\\;()\n\r',
].map((character) => character.charCodeAt(0));

const isBlankByte = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
/** Bytes beyond ASCII are letters to PostgreSQL. */
const isLetter = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte >= 0x80;
const isInWord = (byte: number) => isLetter(byte) || isDigit(byte) || byte === DOLLAR;
/** Names that are longer than PostgreSQL's own are not looked at. */
const LONGEST_WORD = 64;

/** A lexer of one statement, at its beginning. */
export function createStatementLexer(): StatementLexer {
  const words = createStatementWords();
  let meaning: Meaning = 'in';
  let blank = true;
  let parentheses = 0;
  let comments = 0;
  let word = '';
  let tag = '';
  let matched = 0;

  const plain: State = (byte) => {
    if (isBlankByte(byte)) return plain;
    if (byte === DASH) return dash;
    if (byte === SLASH) return slash;
    if (byte === BACKSLASH) meaning = 'command';
    else if (byte === SEMICOLON && parentheses === 0 && !words.isInBody()) meaning = 'end';
    blank = false;
    if (byte === OPEN) parentheses++;
    else if (byte === CLOSE && parentheses > 0) parentheses--;
    else if (byte === QUOTE) return quoted;
    else if (byte === DOUBLE) return named;
    else if (byte === DOLLAR) {
      tag = '$';
      return opening;
    } else if (isDigit(byte)) return number;
    else if (isLetter(byte)) {
      word = '';
      return inWord(byte);
    }
    return plain;
  };

  const inWord: State = (byte) => {
    if (isInWord(byte)) {
      if (word.length < LONGEST_WORD) word += String.fromCharCode(byte);
      return inWord;
    }
    const ended = word.toLowerCase();
    if (byte === QUOTE && ended === 'e') return escaped;
    words.add(ended, parentheses > 0);
    return plain(byte);
  };
  const number: State = (byte) => (isLetter(byte) || isDigit(byte) ? number : plain(byte));

  // Doubled quotes end one and begin another.
  const quoted: State = (byte) => (byte === QUOTE ? plain : quoted);
  const named: State = (byte) => (byte === DOUBLE ? plain : named);
  const escaped: State = (byte) => {
    if (byte === BACKSLASH) return afterBackslash;
    return byte === QUOTE ? afterEscaped : escaped;
  };
  const afterBackslash: State = () => escaped;
  /** What goes on in another line goes on with its escapes. */
  const afterEscaped: State = (byte) => {
    if (byte === QUOTE) return escaped;
    return isBlankByte(byte) ? afterEscaped : plain(byte);
  };

  const opening: State = (byte) => {
    if (byte === DOLLAR) {
      tag += '$';
      matched = 0;
      return dollarQuoted;
    }
    const fits = isLetter(byte) || (isDigit(byte) && tag.length > 1);
    if (!fits || tag.length > LONGEST_WORD) return isLetter(byte) || isDigit(byte) ? number : plain(byte);
    tag += String.fromCharCode(byte);
    return opening;
  };
  const dollarQuoted: State = (byte) => {
    if (byte === tag.charCodeAt(matched)) matched++;
    else matched = byte === DOLLAR ? 1 : 0;
    return matched === tag.length ? plain : dollarQuoted;
  };

  const dash: State = (byte) => {
    if (byte === DASH) return lineComment;
    blank = false;
    return plain(byte);
  };
  // As PostgreSQL ends one.
  const lineComment: State = (byte) => (byte === NEWLINE || byte === RETURN ? plain : lineComment);
  const slash: State = (byte) => {
    if (byte === STAR) {
      comments = 1;
      return comment;
    }
    blank = false;
    return plain(byte);
  };
  const comment: State = (byte) => {
    if (byte === STAR) return star;
    return byte === SLASH ? slashInComment : comment;
  };
  const star: State = (byte) => {
    if (byte === SLASH) return --comments === 0 ? plain : comment;
    return byte === STAR ? star : comment;
  };
  const slashInComment: State = (byte) => {
    if (byte === STAR) comments++;
    return byte === SLASH ? slashInComment : comment;
  };

  let state = plain;
  return {
    next(byte) {
      meaning = 'in';
      state = state(byte);
      return meaning;
    },
    isBlank: () => blank && state === plain,
    endsBlank: () => blank && (state === plain || state === lineComment),
    takesRows: words.takesRows,
  };
}
