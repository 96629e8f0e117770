import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from './icon-button.tsx';

interface ShowButtonProps {
  /** For example `password`. */
  what: string;
  /** Tells it from others of its kind, for example `value of API_KEY`. */
  whole?: string;
  shown: boolean;
  onChange: (shown: boolean) => void;
}

/** Shows or hides what is secret; its name says which of the two it does. */
export function ShowButton({ what, whole = what, shown, onChange }: ShowButtonProps) {
  const verb = shown ? 'Hide' : 'Show';
  return (
    <IconButton label={`${verb} ${whole}`} title={`${verb} ${what}`} onClick={() => onChange(!shown)}>
      {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
    </IconButton>
  );
}
