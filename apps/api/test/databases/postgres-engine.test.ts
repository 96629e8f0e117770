import { databaseEngineContract } from './database-engine-contract.ts';
import { startManagedPostgres } from './managed-postgres.ts';

databaseEngineContract('embedded PostgreSQL', startManagedPostgres);
