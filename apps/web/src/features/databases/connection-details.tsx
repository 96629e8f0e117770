import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { type Address, maskedAddress } from './address.ts';
import { AddressParts } from './address-parts.tsx';

export interface ConnectionDetailsProps {
  address: Address;
  /** Whether the password is shown from the beginning. */
  revealed?: boolean;
  /** Whether host, port, database, user and password follow one by one. */
  parts?: boolean;
}

/** How to reach a database, to reveal and to copy. Until it is revealed, the page does not hold the password. */
export function ConnectionDetails({
  address,
  revealed: initially = false,
  parts = false,
}: ConnectionDetailsProps) {
  const [revealed, setRevealed] = useState(initially);
  const { connectionString } = address;
  return (
    <>
      <CodeBlock
        code={connectionString}
        shown={revealed ? connectionString : maskedAddress(connectionString)}
        label="connection string"
        wrap
        action={
          <Button size="sm" variant="ghost" onClick={() => setRevealed(!revealed)}>
            {revealed ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            {revealed ? 'Hide' : 'Reveal'}
          </Button>
        }
      />
      {parts && <AddressParts address={address} revealed={revealed} />}
    </>
  );
}
