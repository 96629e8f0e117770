/** A connection string and what it is made of, as people and clients read them. */
export interface Address {
  connectionString: string;
  /** Names several where the database has replicas: `a:27017,b:27017`. */
  host: string;
  /** '' where the type's own applies, or where each host has one. */
  port: string;
  database: string;
  user: string;
  password: string;
}

/** As long for every password, so that it says nothing of it. */
export const MASK = '•'.repeat(8);

const FORM =
  /^(?<scheme>[a-z][a-z0-9+]*:\/\/)(?<user>[^:@/?#]*):(?<password>[^@/?#]*)@(?<hosts>[^/?#]+)(?<path>\/[^?#]*)?(?<rest>.*)$/;
const HOST_WITH_PORT = /^(?<host>[^,]+):(?<port>\d+)$/;

/**
 * Takes a connection string apart (RFC 3986; unlike `URL`, with the lists of hosts that MongoDB allows).
 *
 * @throws `TypeError` for what is not `scheme://user:password@host[:port]/database`
 */
export function parseAddress(connectionString: string): Address {
  const { user = '', password = '', hosts = '', path = '' } = groupsOf(connectionString);
  const single = HOST_WITH_PORT.exec(hosts)?.groups;
  return {
    connectionString,
    host: single?.host ?? hosts,
    port: single?.port ?? '',
    database: decodeURIComponent(path.slice(1)),
    user: decodeURIComponent(user),
    password: decodeURIComponent(password),
  };
}

/** The connection string with its password hidden. */
export function maskedAddress(connectionString: string): string {
  const { scheme, user, hosts, path = '', rest } = groupsOf(connectionString);
  return `${scheme}${user}:${MASK}@${hosts}${path}${rest}`;
}

function groupsOf(connectionString: string): Record<string, string | undefined> {
  const groups = FORM.exec(connectionString)?.groups;
  // Without the string itself: it holds the password.
  if (!groups) throw new TypeError('The connection string has an unknown form.');
  return groups;
}
