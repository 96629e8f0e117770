import { Globe, Lock } from 'lucide-react';

/** Whether anyone may read a thing, or its owner alone: an icon that is read aloud as the word. */
export function VisibilityIcon({ isPublic }: { isPublic: boolean }) {
  const Icon = isPublic ? Globe : Lock;
  const word = isPublic ? 'Public' : 'Private';
  return (
    <span title={word} className="inline-flex text-muted">
      <Icon aria-hidden="true" className="size-4" />
      <span className="sr-only">{word}</span>
    </span>
  );
}
