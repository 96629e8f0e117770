import { describe } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { databaseEngineContract } from './database-engine-contract.ts';
import { createRedisWorld } from './redis-world.ts';
import { startStockRedis } from './stock-redis.ts';

describe.skipIf(!requireTool('redis-server'))('Redis', () => {
  databaseEngineContract('a server for each', () => createRedisWorld());
  databaseEngineContract('the server at MANAGED_REDIS_URL', async () => {
    const stock = await startStockRedis();
    const world = await createRedisWorld(undefined, undefined, { url: stock.url });
    return {
      ...world,
      close: async () => {
        await world.close();
        await stock.close();
      },
    };
  });
});
