import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Servers beside each other on one machine do not fight for the ports that are fixed by default. */
const NO_FIXED_PORTS = {
  ...{ MANAGED_POSTGRES_PORT: '0', MANAGED_POSTGRES_POOLED_PORT: '0', MANAGED_REDIS_PORT: '0' },
  DNS_PORT: '0',
};

const READY = /^Nephos is ready at (\S+)$/m;

/** Ports below those from which systems take one for each outgoing connection, so that none of these comes in between. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/** Test workers beside each other, of which there are fewer, have parts of their own: none takes what another is about to. */
const PARTS = 64;
const PORTS_EACH = Math.floor((LAST_PORT - FIRST_PORT) / PARTS);
const firstOwn = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PORTS_EACH;
let asked = Math.floor(Math.random() * PORTS_EACH);

/** A port that was free a moment ago, for TCP and for UDP. */
export async function freePort() {
  for (;;) {
    asked += 1;
    const port = firstOwn + (asked % PORTS_EACH);
    if ((await isFree(createServer().listen(port, '127.0.0.1'))) && (await isFree(bound(port)))) return port;
  }
}

/** @param {number} port */
function bound(port) {
  const socket = createSocket('udp4');
  socket.bind(port, '127.0.0.1');
  return socket;
}

/**
 * Whether what is about to take a port gets it; it gives it back.
 * @param {import('node:net').Server | import('node:dgram').Socket} probe
 */
async function isFree(probe) {
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** The environment of a person's shell, not that of a test run or of an npm script around it, and `settings`. */
export function plainEnvironment(settings) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$|CI$|TEST$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...settings };
}

/**
 * Starts a server of ours by `command` (`npm start`, say) in a process group of its own, and keeps what it says.
 * `exited` gives {code, signal, ms since the start}.
 * @param {{ command: string[], cwd: string, settings: Record<string, string> }} options
 */
export function startServer({ command, cwd, settings }) {
  const [file = '', ...args] = command;
  const began = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: plainEnvironment({ ...NO_FIXED_PORTS, ...settings }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  }
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ms: performance.now() - began }));
  });
  return {
    // NaN, not 0: a signal to process 0 would be one to ourselves.
    pid: child.pid ?? Number.NaN,
    said,
    exited,
    ready: (withinMs) => ready({ child, said, exited, began, withinMs }),
  };
}

/** Waits for the one line on standard output: {url, ms since the start}. Throws with all that was said instead. */
async function ready({ child, said, exited, began, withinMs }) {
  const late = wait(withinMs, 'late', { ref: false });
  for (;;) {
    const url = READY.exec(said.stdout)?.[1];
    if (url) return { url, ms: Math.round(performance.now() - began) };
    const end = await Promise.race([once(child.stdout, 'data').then(() => undefined), exited, late]);
    if (!end) continue;
    const reason =
      end === 'late' ? `not ready within ${withinMs} ms` : `ended with ${end.code ?? end.signal}`;
    throw new Error(`The server was ${reason}:\n${said.stdout}${said.stderr}`);
  }
}

/** Ends every process of the server's group at once: for the end of a test that went wrong. */
export function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** The processes that run from, in or about `folder`, as {pid, command}. Linux only; elsewhere always none. */
export function processesOf(folder) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid: Number(pid), command: read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) }))
    .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ').trim() }))
    .filter(({ pid, command }) => {
      const places = ['cwd', 'exe'].map((link) => read(() => readlinkSync(`/proc/${pid}/${link}`)));
      return command !== '' && [command, ...places].some((text) => text.includes(folder));
    });
}

/** Waits until no process of `folder` is left; those that still are. */
export async function processesLeft(folder, withinMs) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = processesOf(folder);
    if (left.length === 0 || Date.now() > deadline) return left;
    await wait(50);
  }
}

function read(what) {
  try {
    return what();
  } catch {
    return '';
  }
}
