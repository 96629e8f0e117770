import type { Inputs, Installation } from '@nephos/contracts';
import { expect } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import type {
  DeploymentJob,
  DeploymentOutcome,
  LogWriter,
} from '../../src/domains/deployments/engine/engine.ts';
import type { Overrides } from '../../src/domains.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

/** For what happens in the background: within seconds, also on a busy machine. */
export const PATIENCE = { timeout: 60_000, interval: 20 };

/** An engine that deploys everything at once, unless it is told to fail. */
export class WillingEngine extends ScriptedEngine {
  /** Ends deployments as this one, in the place of running; `wait` leaves them to the test. */
  outcome: DeploymentOutcome | 'wait' | undefined;

  override async run(job: DeploymentJob, log: LogWriter, signal: AbortSignal): Promise<DeploymentOutcome> {
    const ended = super.run(job, log, signal);
    const run = this.runs.at(-1);
    if (this.outcome === undefined) await run?.succeed();
    else if (this.outcome !== 'wait') run?.end(this.outcome);
    return ended;
  }
}

export interface MarketplaceWorld extends World {
  engine: WillingEngine;
  databaseEngines: Record<
    'postgresql' | 'mysql' | 'mongodb' | 'redis',
    ReturnType<typeof createScriptedEngine>
  >;
}

/** A world in which everything can be installed within moments: servers and apps are scripted, DNS is real. */
export async function createMarketplaceWorld(overrides: Overrides = {}): Promise<MarketplaceWorld> {
  const engine = new WillingEngine();
  const databaseEngines = {
    postgresql: createScriptedEngine('postgresql'),
    mysql: createScriptedEngine('mysql'),
    mongodb: createScriptedEngine('mongodb'),
    redis: createScriptedEngine('redis'),
  };
  const world = await createWorld({
    running: true,
    settings: { dnsPort: await freePort() },
    overrides: { engine, databaseEngines, ...overrides },
  });
  return { ...world, engine, databaseEngines };
}

type Answers = NonNullable<Inputs['marketplace']['install']['inputs']>;

/** Answers that will do for any item; `unique` keeps domains of different people apart. */
export function answersFor(unique: string): Answers {
  return {
    name: `app-${unique}`,
    password: 'correct horse battery',
    domain: `${unique}.example.com`,
    bundleId: 'com.example.app',
    mailServer: 'example-com.mail.protection.outlook.com',
    email: `${unique}@example.com`,
    verification: 'protonmail-verification=abc',
    value: 'google-site-verification=abc',
    addresses: 'https://example.com, https://example.org/health',
  };
}

/** The installation of an item once nothing works on it any more; undefined where there is none. */
export async function concluded(
  { rpc }: Pick<Person, 'rpc'>,
  itemId: string,
  patience = PATIENCE,
): Promise<Installation | undefined> {
  const find = async () =>
    (await rpc.marketplace.installations.query({ attempts: true })).find((one) => one.itemId === itemId);
  await expect.poll(async () => (await find())?.status, patience).not.toBe('installing');
  return find();
}

/** Installs an item and waits for its end, with more patience where that takes more than moments. */
export async function install(
  person: Pick<Person, 'rpc'>,
  id: string,
  inputs: Answers,
  patience = PATIENCE,
): Promise<Installation> {
  await person.rpc.marketplace.install.mutate({ id, inputs });
  const installation = await concluded(person, id, patience);
  if (!installation) throw new Error(`${id} was uninstalled meanwhile`);
  return installation;
}

/** Everything that someone has, by domain. */
export async function belongings({ rpc }: Pick<Person, 'rpc'>) {
  const [projects, databases, dns, container, mobile] = await Promise.all([
    rpc.projects.list.query(),
    rpc.databases.list.query(),
    rpc.dns.list.query(),
    rpc.containers.list.query(),
    rpc.mobileApps.list.query(),
  ]);
  return { project: projects, database: databases, dns, container, file: [], 'mobile-app': mobile };
}

export const NOTHING = { project: [], database: [], dns: [], container: [], file: [], 'mobile-app': [] };
