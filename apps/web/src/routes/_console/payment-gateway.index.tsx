import { createFileRoute } from '@tanstack/react-router';
import { GatewayPage } from '../../features/payment-gateway/gateway-page.tsx';
import { gatewaySearch } from '../../features/payment-gateway/gateway-search.ts';
import { GatewaySkeleton } from '../../features/payment-gateway/gateway-skeleton.tsx';

export const Route = createFileRoute('/_console/payment-gateway/')({
  validateSearch: gatewaySearch,
  loader: ({ context: { utils } }) => utils.paymentGateway.virtualAccounts.ensureData(),
  pendingComponent: GatewaySkeleton,
  component: GatewayPage,
});
