import type { AppRouter } from '@nephos/contracts';
import { adminRouter } from './domains/admin/router.ts';
import { assistantRouter } from './domains/assistant/router.ts';
import { authRouter } from './domains/auth/router.ts';
import { billingRouter } from './domains/billing/router.ts';
import { containersRouter } from './domains/containers/router.ts';
import { databasesRouter } from './domains/databases/router.ts';
import { deploymentsRouter } from './domains/deployments/router.ts';
import { dnsRouter } from './domains/dns/router.ts';
import { marketplaceRouter } from './domains/marketplace/router.ts';
import { mobileAppsRouter } from './domains/mobile-apps/router.ts';
import { paymentGatewayRouter } from './domains/payment-gateway/router.ts';
import { projectsRouter } from './domains/projects/router.ts';
import { storageRouter } from './domains/storage/router.ts';
import { router } from './trpc.ts';

const served = router({
  auth: authRouter,
  projects: projectsRouter,
  deployments: deploymentsRouter,
  storage: storageRouter,
  containers: containersRouter,
  databases: databasesRouter,
  dns: dnsRouter,
  mobileApps: mobileAppsRouter,
  marketplace: marketplaceRouter,
  paymentGateway: paymentGatewayRouter,
  billing: billingRouter,
  admin: adminRouter,
  assistant: assistantRouter,
});

// A domain or procedure of the contract that is not served is a type error here.
served._def.record satisfies AppRouter['_def']['record'];

/** Every procedure of the contract, implemented. The contract types the context as unread, hence the cast. */
export const appRouter = served as unknown as AppRouter;
