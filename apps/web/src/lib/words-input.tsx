import { SEARCH_MAX } from '@nephos/contracts/constants';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { SearchInput } from '../ui/search-input.tsx';

/** Milliseconds without a key after which what was typed is looked for. */
const TYPING_PAUSE = 250;

export interface WordsInputProps {
  /** What is searched. */
  label: string;
  words: string | undefined;
  onWordsChange: (words: string | undefined) => void;
  className?: string;
  /** For who gives the focus to it. */
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** Shows what is typed at once, and asks for it once the person pauses. */
export function WordsInput({ label, words = '', onWordsChange, className, inputRef }: WordsInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState(words);

  useEffect(() => () => clearTimeout(timer.current), []);

  // A link may change it, or a button clear it; whoever is typing is not interrupted by what they typed a moment ago.
  useEffect(() => {
    const typing = timer.current !== undefined;
    if (!typing && (words === '' || document.activeElement !== input.current)) setTyped(words);
  }, [words, input]);

  return (
    <SearchInput
      ref={input}
      label={label}
      value={typed}
      maxLength={SEARCH_MAX}
      onChange={({ target: { value } }) => {
        setTyped(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          timer.current = undefined;
          onWordsChange(value.trim() || undefined);
        }, TYPING_PAUSE);
      }}
      className={className}
    />
  );
}
