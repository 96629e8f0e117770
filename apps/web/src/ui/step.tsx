import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonStyles } from './button-styles.ts';

export interface LinkLook {
  'aria-label': string;
  className: string;
  children: ReactNode;
}

interface StepProps {
  label: string;
  icon: LucideIcon;
  /** Renders the link in this look; null where nothing is further on. */
  link: ((look: LinkLook) => ReactNode) | null;
}

/** A link to what is before or after what is shown, or a button that does nothing at either end. */
export function Step({ label, icon: Icon, link }: StepProps) {
  const look = {
    'aria-label': label,
    className: buttonStyles({ variant: 'ghost', size: 'sm' }),
    children: <Icon aria-hidden="true" />,
  };
  return link ? link(look) : <button type="button" disabled {...look} />;
}
