import type { Role } from '@nephos/contracts';
import { ShieldCheck } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { ROLE_NAMES } from './role-names.ts';

export function RoleBadge({ role }: { role: Role }) {
  return role === 'admin' ? (
    <Badge tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
      {ROLE_NAMES.admin}
    </Badge>
  ) : (
    <Badge>{ROLE_NAMES.member}</Badge>
  );
}
