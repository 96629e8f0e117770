import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

/** Milliseconds for which the button says that it worked. */
const FEEDBACK_TIME = 2000;

interface CopyButtonProps {
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

/**
 * Puts text on the clipboard. Browsers give the clipboard API to secure origins only, so a console reached by plain
 * http on a local network goes the older way.
 *
 * @returns whether it was copied
 */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, focus may not leave it.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
