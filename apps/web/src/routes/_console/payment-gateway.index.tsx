import { createFileRoute } from '@tanstack/react-router';
import { GatewayPage } from '../../features/payment-gateway/gateway-page.tsx';
import { gatewaySearch } from '../../features/payment-gateway/gateway-search.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/payment-gateway/')({
  validateSearch: gatewaySearch,
  loader: ({ context: { utils } }) => utils.paymentGateway.virtualAccounts.ensureData(),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading virtual accounts"
      heading={HEADINGS.paymentGateway}
      action="w-52"
      bars={['mb-6 h-10.25']}
      cards={{ height: 'h-64', badge: true, lines: 3, button: 'w-52 max-w-full' }}
    />
  ),
  component: GatewayPage,
});
