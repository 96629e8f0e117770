import type { Engine } from '@nephos/contracts';
import { CircleCheck, CircleOff, CircleX } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';

const LOOKS = {
  healthy: { tone: 'success', icon: CircleCheck, label: 'Healthy' },
  unhealthy: { tone: 'danger', icon: CircleX, label: 'Unhealthy' },
  off: { tone: 'neutral', icon: CircleOff, label: 'Off' },
} as const;

export function EngineState({ state }: { state: Engine['state'] }) {
  const { tone, icon: Icon, label } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  );
}
