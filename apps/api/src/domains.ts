import type { contract } from '@nephos/contracts';
import { createAdmin } from './domains/admin/admin.ts';
import { createAssistant } from './domains/assistant/assistant.ts';
import type { AssistantTimes } from './domains/assistant/reply-writer.ts';
import type { CallProcedure } from './domains/assistant/tools-box.ts';
import { createAuth } from './domains/auth/auth.ts';
import { createBilling } from './domains/billing/billing.ts';
import type { PaymentProvider } from './domains/billing/provider.ts';
import { createContainers } from './domains/containers/containers.ts';
import { createDatabases } from './domains/databases/databases.ts';
import type { DatabaseEngines } from './domains/databases/engines/engine.ts';
import { listEngines } from './domains/databases/service.ts';
import { createDeployments } from './domains/deployments/deployments.ts';
import type { DeploymentEngine } from './domains/deployments/engine/engine.ts';
import { createDns } from './domains/dns/dns.ts';
import type { LookUpTxt } from './domains/dns/txt-lookup.ts';
import type { Domain, Part } from './domains/domain.ts';
import { createMarketplace } from './domains/marketplace/marketplace.ts';
import { createMetering } from './domains/metering/metering.ts';
import { createMobileApps } from './domains/mobile-apps/mobile-apps.ts';
import { createPaymentGateway } from './domains/payment-gateway/payment-gateway.ts';
import type { Rail } from './domains/payment-gateway/rail.ts';
import { createProjects } from './domains/projects/projects.ts';
import { whyNoCode } from './domains/projects/runnable.ts';
import { createStorage } from './domains/storage/storage.ts';
import type { AppServer } from './http/console-server.ts';
import type { EngineCheck } from './platform/engine-check.ts';
import type { Platform } from './platform/platform.ts';

/** What a test puts in the place of the real thing. */
export type Overrides = Partial<{
  engine: DeploymentEngine;
  databaseEngines: DatabaseEngines;
  lookUpTxt: LookUpTxt;
  rail: Rail;
  payments: PaymentProvider;
  assistantTimes: Partial<AssistantTimes>;
  /** Milliseconds between two pieces of an answer by rules. */
  answerPace: number;
}>;

/** What is there only once all domains are made. */
export interface Later {
  /** Everything that the server runs on. */
  engines(): readonly EngineCheck[];
  /** Calls any procedure of the contract. */
  call: CallProcedure;
}

type EachDomain = { [D in keyof typeof contract]: Domain<(typeof contract)[D]> };

export type Domains = Awaited<ReturnType<typeof createDomains>>;

/** Makes all domains. Adding one is a folder and a line. */
export async function createDomains(platform: Platform, overrides: Overrides, later: Later) {
  const dns = createDns(platform, overrides);
  const deployments = createDeployments(platform, overrides);
  const projects = createProjects(platform, deployments.deployer);
  const databases = createDatabases(platform, overrides);
  const storage = createStorage(platform);
  const auth = createAuth(platform, () => ({
    membersDeploy: whyNoCode(platform.settings, { role: 'member' }) === null,
    databases: listEngines(databases.servers).flatMap(({ type, available }) => (available ? [type] : [])),
    dns: dns.nameServer.unavailable() === null,
  }));
  const metering = createMetering({ ...platform, ...deployments });

  const domains = {
    auth,
    projects,
    deployments,
    storage,
    containers: createContainers(platform),
    databases,
    dns,
    mobileApps: createMobileApps(platform),
    marketplace: createMarketplace(platform, { projects, databases, dns, storage }),
    paymentGateway: createPaymentGateway(platform, overrides),
    billing: await createBilling(platform, overrides),
    admin: createAdmin(platform, later),
    assistant: await createAssistant(platform, {
      call: later.call,
      times: overrides.assistantTimes,
      pace: overrides.answerPace,
    }),
  } satisfies EachDomain;

  const apps: AppServer = deployments.engine;
  return {
    domains,
    // In the order in which they take up their work.
    parts: [metering, ...Object.values<Part & { handlers: object }>(domains)] satisfies Part[],
    identify: auth.identify,
    apps,
  };
}
