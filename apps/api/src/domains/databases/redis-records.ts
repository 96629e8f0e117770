import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { RedisRecords } from './engines/redis/given-redis.ts';
import { credentialsOf } from './sealed-password.ts';

/** Of available Redis databases. A password that is to be set counts already. */
export function createRedisRecords(db: Kysely<Database>, secrets: SecretsBox): RedisRecords {
  const available = () =>
    db.selectFrom('managedDatabases').where('type', '=', 'redis').where('status', '=', 'available');
  return {
    async names() {
      const rows = await available().select('engineName').orderBy('id').execute();
      return rows.map(({ engineName }) => engineName);
    },
    async passwordOf(name) {
      const row = await available()
        .select(['engineName', 'password', 'nextPassword'])
        .where('engineName', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      const { engineName, password, nextPassword } = row;
      return credentialsOf(secrets, { engineName, password: nextPassword ?? password }).password;
    },
  };
}
