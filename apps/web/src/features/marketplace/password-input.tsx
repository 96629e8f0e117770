import { Sparkles } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { ShowButton } from '../../ui/show-button.tsx';

interface PasswordInputProps
  extends Omit<ComponentProps<typeof PlainInput>, 'type' | 'value' | 'onChange' | 'autoComplete'> {
  value: string;
  onValueChange: (value: string) => void;
}

/** Bytes of a made password: as many as nobody guesses. */
const BYTES = 18;

/** A field for a new password, which can be shown, and made at random. */
export function PasswordInput({ value, onValueChange, ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false);

  function generate() {
    onValueChange(randomPassword());
    // One that nobody has typed has to be seen, or it is lost.
    setShown(true);
  }

  return (
    <div className="flex gap-1">
      <PlainInput
        {...props}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className="min-w-0 grow"
      />
      <ShowButton what="password" shown={shown} onChange={setShown} />
      <IconButton label="Generate a password" title="Generate a password" onClick={generate}>
        <Sparkles aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Letters and digits alone, since some programs stumble over signs. */
function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}
