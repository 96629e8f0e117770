import { describe } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { databaseEngineContract } from './database-engine-contract.ts';
import { createRedisWorld } from './redis-world.ts';

describe.skipIf(!requireTool('redis-server'))('Redis', () => {
  databaseEngineContract('a server for each', () => createRedisWorld());
});
