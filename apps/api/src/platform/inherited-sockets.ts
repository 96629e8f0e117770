import { isLoopbackHost } from '../core/env.ts';
import { type InheritedSockets, SettingError, type Settings, SOCKET_NAMES } from '../core/settings.ts';

/** The first descriptor that systemd passes on, after those of every process. */
const FIRST = 3;

/**
 * The sockets that systemd passed on to this process (sd_listen_fds). None where it did not, or to another one. Throws
 * `SettingError` at a socket that is not known, since who comes to it would wait for ever.
 */
export function readInheritedSockets(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): InheritedSockets {
  if (env.LISTEN_PID !== String(pid)) return {};
  const names = (env.LISTEN_FDNAMES ?? '').split(':');
  const sockets: InheritedSockets = {};
  for (let index = 0; index < Number(env.LISTEN_FDS); index += 1) {
    const name = SOCKET_NAMES.find((known) => known === names[index]);
    if (!name) {
      throw new SettingError(
        `FileDescriptorName of each socket unit must be one of ${SOCKET_NAMES.join(', ')}, not ${names[index] || 'empty'}`,
      );
    }
    if (sockets[name] !== undefined) {
      throw new SettingError(`the socket unit ${name} must have one ListenStream or ListenDatagram`);
    }
    sockets[name] = FIRST + index;
  }
  return sockets;
}

/** Throws `SettingError` where nobody would answer at a socket. */
export function assertAnswered(
  inherited: InheritedSockets,
  { httpsPort, dnsPort }: Pick<Settings, 'httpsPort' | 'dnsPort'>,
): void {
  if (inherited.https !== undefined && httpsPort === 0) {
    throw new SettingError('HTTPS_PORT must be set, since the service manager listens for HTTPS');
  }
  if ((inherited['dns-udp'] ?? inherited['dns-tcp']) !== undefined && dnsPort === 0) {
    throw new SettingError('DNS_PORT must be set, since the service manager listens for DNS');
  }
}

/**
 * Throws `SettingError` where a socket is not at the port that a setting names, or others can come to it while `HOST` says
 * that this machine alone can: whoever comes would be trusted as such.
 */
export function assertPlace(
  { name, host, port }: { name: string; host: string; port: number },
  at: { address: string; port: number },
): void {
  if (at.port !== port) {
    throw new SettingError(`${name} ${port} is not port ${at.port}, where the service manager listens`);
  }
  if (isLoopbackHost(host) && !isLoopbackHost(at.address)) {
    throw new SettingError(
      `HOST ${host} is not ${at.address}, where the service manager listens: set HOST=${at.address}`,
    );
  }
}
