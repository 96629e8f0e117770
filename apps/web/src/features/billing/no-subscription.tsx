import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatusCard } from './status-card.tsx';

export function NoSubscription() {
  return (
    <StatusCard badge={<Badge>No Subscription</Badge>}>
      <Notice
        tone="warning"
        title="Marketplace Access Restricted: Your trial has ended. Subscribe to a plan to continue installing marketplace items and access premium features."
      />
    </StatusCard>
  );
}
