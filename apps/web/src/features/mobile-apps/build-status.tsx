import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const LOOKS: Readonly<Record<string, { name: string; tone: BadgeTone }>> = {
  configured: { name: 'Configured', tone: 'success' },
  draft: { name: 'Draft', tone: 'neutral' },
};

/** A status that a later server may know is shown as it is (specification §2). */
export function BuildStatus({ status }: { status: string }) {
  const look = LOOKS[status];
  return <Badge tone={look?.tone}>{look?.name ?? status}</Badge>;
}
