import { DATABASE_TYPES, type ManagedDatabase } from '@nephos/contracts';
import type { Settings } from '../../env.ts';
import { type Check, type CheckContext, type Finding, healthy, off, unhealthy } from './check.ts';

type Type = ManagedDatabase['type'];

const DATABASES: Record<Type, { name: string; ours: string; setting: string; url(of: Settings): unknown }> = {
  postgresql: {
    name: 'PostgreSQL databases',
    ours: 'Embedded PostgreSQL',
    setting: 'MANAGED_POSTGRES_URL',
    url: ({ managedPostgresUrl }) => managedPostgresUrl,
  },
  mysql: {
    name: 'MySQL databases',
    ours: 'MariaDB on this machine',
    setting: 'MANAGED_MYSQL_URL',
    url: ({ managedMysqlUrl }) => managedMysqlUrl,
  },
  mongodb: {
    name: 'MongoDB databases',
    ours: 'None',
    setting: 'MANAGED_MONGODB_URL',
    url: ({ managedMongodbUrl }) => managedMongodbUrl,
  },
};

/** Servers beside Nephos: of managed databases, of payments, and of the assistant's model. */
export function serverChecks(ctx: CheckContext): Check[] {
  return [...DATABASE_TYPES.map((type) => databaseCheck(ctx, type)), paymentsCheck(ctx), modelCheck(ctx)];
}

function databaseCheck(ctx: CheckContext, type: Type): Check {
  const { name, ours, setting, url } = DATABASES[type];
  const given = url(ctx.settings) !== undefined;
  const reason = ctx.databaseEngines[type].unavailable();
  // Such a reason begins with the setting that would add the server.
  const absent = !given && (reason?.startsWith(`${setting} is not set`) ?? false);
  return {
    id: type,
    name,
    running: given ? `The server of ${setting}` : absent ? 'None' : ours,
    settings: type === 'postgresql' ? [setting, 'MANAGED_POSTGRES_PORT'] : [setting],
    look: () =>
      reason === null ? askDatabaseServer(ctx, type, given) : absent ? off(reason) : unhealthy(reason),
  };
}

/** By the figures of a database that it has. A server that has none yet is started with the first. */
async function askDatabaseServer(
  { db, databaseEngines }: CheckContext,
  type: Type,
  given: boolean,
): Promise<Finding> {
  const engine = databaseEngines[type];
  const one = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .where('type', '=', type)
    .where('status', '=', 'available')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (one) {
    const { connections, connectionLimit } = await engine.usage(one.engineName);
    return healthy(`Answers; the newest database has ${connections} of ${connectionLimit} connections open.`);
  }
  if (!given) return healthy('Starts with the first database.');
  await engine.start();
  const problem = engine.unavailable();
  return problem === null ? healthy('Answers; it has no databases yet.') : unhealthy(problem);
}

function paymentsCheck({ billing: { provider } }: CheckContext): Check {
  const isStripe = provider.info.name === 'stripe';
  return {
    id: 'payments',
    name: 'Card payments',
    running: isStripe ? 'Stripe' : 'Sandbox',
    settings: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    async look() {
      // That there is no such payment is an answer, which only who has a key is given.
      await provider.readIntent('pi_00000000');
      if (!isStripe) return healthy('Takes test cards; no money moves.');
      return healthy(provider.info.testMode ? 'Answers, with test keys: no money moves.' : 'Answers.');
    },
  };
}

function modelCheck({ settings: { openai }, assistant }: CheckContext): Check {
  const settings = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'];
  const about = { id: 'model', name: 'Assistant', running: assistant.model.name, settings };
  if (!openai) return { ...about, look: () => healthy('Answers by rules of its own, without a model.') };
  return { ...about, look: () => askModelServer(openai) };
}

async function askModelServer({ baseUrl, apiKey }: NonNullable<Settings['openai']>): Promise<Finding> {
  const { host } = new URL(baseUrl);
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(2000),
  });
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) return unhealthy(`${host} refuses the key.`);
  if (response.status >= 500) return unhealthy(`${host} answers with an error.`);
  return healthy(`${host} answers.`);
}
