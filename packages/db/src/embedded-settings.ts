/** What an embedded server is started with, beside the folder of its data. */
export interface ServerSettings {
  port: number;
  durable: boolean;
  /** Addresses beside 127.0.0.1, by which we reach it ourselves. */
  listen: readonly string[];
  /** PostgreSQL's own parameters by name, over ours. */
  parameters: Readonly<Record<string, string | number>>;
}

/** Those that mean every address, in PostgreSQL's words: its `::` would be IPv6 alone. */
const ALL: Readonly<Record<string, string>> = { '*': '*', '::': '*', '0.0.0.0': '0.0.0.0' };

/** An address that means all holds loopback already, and the port of one held twice could not be bound. */
function addressesOf(listen: readonly string[]): string {
  const all = listen.map((address) => ALL[address]).find((address) => address !== undefined);
  return all ?? [...new Set(['127.0.0.1', ...listen])].join(',');
}

/** For a small server. Statements and row values stay out of the log: they may hold what people entrusted to us. */
export function parametersOf({
  port,
  durable,
  listen,
  parameters,
}: ServerSettings): Record<string, string | number> {
  const safety = durable ? 'on' : 'off';
  return {
    port,
    listen_addresses: addressesOf(listen),
    unix_socket_directories: '',
    max_connections: durable ? 100 : 300,
    shared_buffers: '128MB',
    fsync: safety,
    synchronous_commit: safety,
    full_page_writes: safety,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...parameters,
  };
}
