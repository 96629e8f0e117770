import type { ManagedDatabase } from '@nephos/contracts';
import { CircleCheck, CircleX, KeyRound } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const LOOKS = {
  creating: { label: 'Creating', tone: 'info', icon: <Spinner /> },
  available: { label: 'Available', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
  passwordChanged: { label: 'Password changed', tone: 'warning', icon: <KeyRound aria-hidden="true" /> },
} as const;

/** A database's state with its icon. */
export function DatabaseStatus({
  status,
  passwordChanged,
}: Pick<ManagedDatabase, 'status' | 'passwordChanged'>) {
  const { label, tone, icon } = LOOKS[passwordChanged ? 'passwordChanged' : status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** What a region means here, where all databases are on one server. */
export const REGION_HINT = 'A label only. Databases run on this server.';

/** Where its data is, and how much there may be. */
export function sizeOf({ type, storageSize }: Pick<ManagedDatabase, 'type' | 'storageSize'>): string {
  return type === 'redis' ? 'In memory' : `${storageSize} GB`;
}

/** What the types call themselves. */
export const TYPE_NAMES: Record<ManagedDatabase['type'], string> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  mongodb: 'MongoDB',
  redis: 'Redis',
};
