import { describe } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { databaseEngineContract } from './database-engine-contract.ts';
import { createMysqlWorld } from './mysql-world.ts';
import { type StockMariadb, startStockMariadb } from './stock-mariadb.ts';

const present = requireTool('mariadbd') && requireTool('mariadb');

describe.skipIf(!present)('MySQL', () => {
  let stock: StockMariadb;
  databaseEngineContract('a private MariaDB', () => createMysqlWorld());
  databaseEngineContract('the server at MANAGED_MYSQL_URL', async () => {
    stock = await startStockMariadb();
    const world = await createMysqlWorld(stock.url);
    return {
      ...world,
      close: async () => {
        await world.close();
        await stock.close();
      },
    };
  });
});
