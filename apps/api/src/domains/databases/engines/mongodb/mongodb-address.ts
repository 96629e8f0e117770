import type { Credentials } from '../engine.ts';

/** Options that say how servers are reached, which hold for every user of theirs. */
const SHARED_OPTIONS = ['replicaSet', 'tls', 'ssl', 'directConnection', 'loadBalanced'];

/** The parts of a MongoDB address. `URL` does not know them: there may be several hosts between commas. */
const ADDRESS =
  /^(?<scheme>mongodb(?:\+srv)?):\/\/(?:(?<user>[^@/?]+)@)?(?<hosts>[^@/?]+)(?:\/[^?]*)?(?:\?(?<options>.*))?$/;

export interface MongodbAddress {
  scheme: string;
  /** With their ports, between commas. */
  hosts: string;
  /** Whether it says who the administrator is. */
  authenticates: boolean;
  options: URLSearchParams;
}

/** Throws where it is none. */
export function parseMongodbAddress(address: string): MongodbAddress {
  const { scheme = '', user, hosts = '', options } = ADDRESS.exec(address)?.groups ?? {};
  if (!hosts) throw new Error('MANAGED_MONGODB_URL must be a mongodb:// URL');
  const parsed = new URLSearchParams(options);
  return { scheme, hosts, authenticates: user !== undefined || parsed.has('authMechanism'), options: parsed };
}

/** How clients reach one database at the same servers. Its user is kept in the database itself. */
export function databaseAddress(
  { scheme, hosts, options }: MongodbAddress,
  { name, password }: Credentials,
): string {
  const query = new URLSearchParams({ authSource: name });
  for (const option of SHARED_OPTIONS) {
    const value = options.get(option);
    if (value !== null) query.set(option, value);
  }
  return `${scheme}://${name}:${encodeURIComponent(password)}@${hosts}/${name}?${query}`;
}
