import type { DatabasesParts } from './databases.ts';
import type { DatabaseRow } from './read.ts';
import { credentialsOf } from './sealed-password.ts';
import { asked } from './server-failure.ts';

/** How an app on this machine reaches a database. */
export interface DatabaseAddress {
  /** As the type's own clients take it, with everything below in it. */
  url: string;
  /** Of several servers, the first one's. */
  host: string;
  port: string;
  /** What the server calls the database. */
  name: string;
  user: string;
  password: string;
}

const DEFAULT_PORTS = { postgresql: '5432', mysql: '3306', mongodb: '27017', redis: '6379' } as const;

const AUTHORITY = /^(?<scheme>[a-z+]+:\/\/)(?<credentials>[^@/]*@)(?<hosts>[^/?]*)(?<rest>.*)$/s;

/**
 * The address of an available database for the apps of this machine. Where we run the server they reach it at `machine`,
 * as they name this machine: the name under which others do may lead to a proxy or a published port. Throws 404 and 503.
 */
export async function addressHere(
  { servers, work, secrets, log }: Pick<DatabasesParts, 'servers' | 'work' | 'secrets' | 'log'>,
  row: DatabaseRow,
  machine: string,
): Promise<DatabaseAddress> {
  // A change of the password that was cut short comes to its end first: until then, neither is certain.
  const settled = row.nextPassword === null ? row : await work.settlePassword(row.id);
  const engine = servers[settled.type];
  const credentials = credentialsOf(secrets, settled);
  const address = await asked({ engine, log }, () => engine.connectionString(credentials));
  const {
    scheme = '',
    credentials: login = '',
    hosts = '',
    rest = '',
  } = AUTHORITY.exec(address)?.groups ?? {};
  const [first = ''] = hosts.split(',');
  const { hostname, port } = new URL(`http://${first}`);
  const host = engine.runsHere ? machine : hostname;
  const own = engine.runsHere ? `${machine}${port && `:${port}`}` : hosts;
  return {
    url: `${scheme}${login}${own}${rest}`,
    host,
    // `URL` leaves out 80, the usual one of its own scheme.
    port: port || (first.endsWith(':80') ? '80' : DEFAULT_PORTS[settled.type]),
    name: decodeURIComponent(/^\/([^?]*)/.exec(rest)?.[1] ?? ''),
    user: credentials.name,
    password: credentials.password,
  };
}
