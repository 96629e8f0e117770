import type { MobileApp } from '@nephos/contracts';
import { Apple, Bot, type LucideIcon, TabletSmartphone } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

type Platform = MobileApp['platform'];

export const PLATFORM_NAMES: Record<Platform, string> = {
  android: 'Android',
  ios: 'iOS',
  both: 'Android and iOS',
};

const ICONS: Record<Platform, LucideIcon> = { android: Bot, ios: Apple, both: TabletSmartphone };

/** What an app runs on, as a picture with a name. */
export function PlatformIcon({ platform }: { platform: Platform }) {
  const Icon = ICONS[platform];
  return (
    <span
      role="img"
      aria-label={PLATFORM_NAMES[platform]}
      title={PLATFORM_NAMES[platform]}
      className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-sunken text-muted"
    >
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}

/** Whether the app's settings for Android, or for iOS, mean anything. */
export function runsOn(platform: Platform, one: 'android' | 'ios'): boolean {
  return platform === one || platform === 'both';
}

/** How the ways to build an app are called. */
export const METHOD_NAMES: Record<MobileApp['deploymentMethod'], string> = {
  manual: 'Manual',
  github: 'GitHub',
  local: 'Local',
};

const LOOKS: Readonly<Record<string, { name: string; tone: BadgeTone }>> = {
  configured: { name: 'Configured', tone: 'success' },
  draft: { name: 'Draft', tone: 'neutral' },
};

/** A status that a later server may know is shown as it is. */
export function BuildStatus({ status }: { status: string }) {
  const look = LOOKS[status];
  return <Badge tone={look?.tone}>{look?.name ?? status}</Badge>;
}
