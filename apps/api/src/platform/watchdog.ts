import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

/** Milliseconds that the main thread may stand still. A large start or collection of garbage takes seconds. */
const PATIENCE_MS = 60_000;
const INTERVAL_MS = PATIENCE_MS / 4;

/**
 * Has systemd end this process, and start it again, where its main thread hangs. `socket` is NOTIFY_SOCKET; without one
 * nobody watches. The patience is told from here and not by the unit, so that another version under the same unit, which
 * gives no sign of life, is not ended for that.
 */
export function startWatchdog(socket: string | undefined, log: Logger): void {
  if (!socket) return;
  const tell = (...lines: string[]) => {
    // Node has no sockets of this kind. The program speaks as the process that started it.
    const child = spawn('systemd-notify', ['--no-block', ...lines], {
      env: { PATH: process.env.PATH, NOTIFY_SOCKET: socket },
      stdio: 'ignore',
    });
    child.once('error', (error) =>
      log.error({ err: error }, 'systemd could not be told that the server runs'),
    );
  };
  tell(`WATCHDOG_USEC=${PATIENCE_MS * 1000}`, 'WATCHDOG=1');
  setInterval(() => tell('WATCHDOG=1'), INTERVAL_MS).unref();
}
