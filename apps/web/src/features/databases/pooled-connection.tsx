import type { DatabaseConnection } from '@nephos/contracts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { maskedAddress } from './address.ts';

/** The address of the pooler in front of a database, and when to use it; or why there is none. */
export function PooledConnection({
  pooledConnectionString: address,
  notPooled,
}: Pick<DatabaseConnection, 'pooledConnectionString' | 'notPooled'>) {
  if (address === null && notPooled === '') return null;
  return (
    <section className="mt-6" aria-label="Pooled connection">
      <h3 className="font-semibold">Pooled connection</h3>
      <p className="mt-1 mb-3 text-muted text-sm">
        {address === null
          ? notPooled
          : 'For many clients that connect often or for a short time, such as serverless functions. Settings, prepared statements, temporary tables and LISTEN last only for a transaction.'}
      </p>
      {address !== null && (
        <CodeBlock code={address} shown={maskedAddress(address)} label="pooled connection string" wrap />
      )}
    </section>
  );
}
