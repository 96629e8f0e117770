import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';

/** Milliseconds for which the button says that it worked. */
const FEEDBACK_TIME = 2000;

export interface CopyButtonProps {
  /** What lands on the clipboard. */
  value: string;
  /** Accessible name, for example 'Copy URL'. */
  label: string;
  className?: string;
}

export function CopyButton({ value, label, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_TIME);
    return () => clearTimeout(timer);
  }, [copied]);

  return (
    <>
      <IconButton
        label={label}
        title={label}
        size="sm"
        className={className}
        onClick={() => void copyText(value).then(setCopied)}
      >
        {copied ? <Check className="text-success" /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  );
}
