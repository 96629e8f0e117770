import type { Intent } from './intent.ts';
import { appAddress, customDomain, databaseTls, https } from './intents/app-address.ts';
import { backupDatabase, backupOthers } from './intents/backup.ts';
import { cost, limits, storageUse } from './intents/billing.ts';
import { connectDatabase } from './intents/connect-database.ts';
import { deployFromGit, redeploy, rollback, variables } from './intents/deploying.ts';
import { doItYourself } from './intents/do-it-yourself.ts';
import { compose, dockerfile } from './intents/dockerfile.ts';
import { pointDomain, silentDomain } from './intents/domains.ts';
import { failedDatabase } from './intents/failed-database.ts';
import { failedDeployment } from './intents/failed-deployment.ts';
import { importCsv } from './intents/import-csv.ts';
import { inventory } from './intents/inventory.ts';
import { kubernetesManifest } from './intents/kubernetes-manifest.ts';
import { logs } from './intents/logs.ts';
import { marketplace } from './intents/marketplace.ts';
import { mobileBuild } from './intents/mobile-build.ts';
import { pullImage, pushImage } from './intents/registry.ts';
import { account, greeting, helpFor, money, thanks, tokens } from './intents/small-talk.ts';
import { createIndex, createTable, explainQuery } from './intents/sql.ts';
import { status } from './intents/status.ts';

/** In the order in which those that fit a question equally are preferred. */
const ANSWERING: readonly Intent[] = [
  failedDeployment,
  failedDatabase,
  inventory,
  status,
  logs,
  compose,
  dockerfile,
  kubernetesManifest,
  silentDomain,
  databaseTls,
  https,
  customDomain,
  pointDomain,
  createIndex,
  explainQuery,
  createTable,
  backupDatabase,
  backupOthers,
  importCsv,
  connectDatabase,
  appAddress,
  pushImage,
  pullImage,
  redeploy,
  rollback,
  variables,
  mobileBuild,
  marketplace,
  storageUse,
  limits,
  cost,
  deployFromGit,
  doItYourself,
  tokens,
  money,
  account,
  greeting,
  thanks,
];

export const INTENTS: readonly Intent[] = [...ANSWERING, helpFor(ANSWERING)];
