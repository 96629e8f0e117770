import { CopyButton } from '../../ui/copy-button.tsx';
import { type Address, MASK } from './address.ts';

const PARTS = [
  ['Host', 'host'],
  ['Port', 'port'],
  ['Database', 'database'],
  ['User', 'user'],
  ['Password', 'password'],
] as const;

/** The address in the pieces that forms and configuration files ask for. */
export function AddressParts({ address, revealed }: { address: Address; revealed: boolean }) {
  return (
    <dl className="mt-4 divide-y divide-line border-line border-t">
      {PARTS.filter(([, part]) => address[part] !== '').map(([label, part]) => (
        <div key={part} className="flex min-h-11 items-center gap-3 py-1 text-sm">
          <dt className="w-20 shrink-0 text-faint">{label}</dt>
          <dd className="flex min-w-0 grow items-center justify-between gap-2">
            <code className="min-w-0 break-all">
              {part === 'password' && !revealed ? MASK : address[part]}
            </code>
            <CopyButton value={address[part]} label={`Copy ${label.toLowerCase()}`} className="mr-2.5" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
