/** Who may give PgBouncer commands, on its socket and nowhere else. */
export const COMMANDER = 'nephos';
/** The end of its socket's name. */
export const SOCKET_PORT = 6432;
/** Clients at once, of all databases. */
const MOST_CLIENTS = 2000;
/** Sessions for them at each database, which leaves others to who connects directly. */
const MOST_SESSIONS = 10;
const IDLE = 30;

export interface Configured {
  /** The port of all databases. */
  port: number;
  /** The file of users. */
  users: string;
  /** Seconds after which a session that nobody uses ends, so that its database may sleep; by default 30. */
  idle?: number | undefined;
}

/**
 * PgBouncer's configuration: each database is reached at the port of all databases, which wakes it, with the keys that
 * its client proved (SCRAM), so no password is kept.
 */
export function configurationFor({ port, users, idle = IDLE }: Configured): string {
  const settings = {
    listen_port: SOCKET_PORT,
    unix_socket_dir: '.',
    unix_socket_mode: '0600',
    auth_type: 'scram-sha-256',
    auth_file: users,
    admin_users: COMMANDER,
    pool_mode: 'transaction',
    max_client_conn: MOST_CLIENTS,
    default_pool_size: MOST_SESSIONS,
    max_db_connections: MOST_SESSIONS,
    server_idle_timeout: idle,
    server_login_retry: 1,
    // Until it is awake.
    server_connect_timeout: 60,
    client_login_timeout: 10,
    server_tls_sslmode: 'disable',
    // Drivers of Java send it with each connection.
    ignore_startup_parameters: 'extra_float_digits',
    log_connections: 0,
    log_disconnections: 0,
    log_stats: 0,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = host=127.0.0.1 port=${port}`, '[pgbouncer]', ...lines].join('\n');
}

/** A line of the file of users; `verifier` as PostgreSQL keeps it, or a password. */
export const userLine = (name: string, verifier: string) => `"${name}" "${verifier}"`;
