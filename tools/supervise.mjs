import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fail, root, SIGNALS } from './process.mjs';

const PARENT_POLL_MS = 500;

/**
 * Runs programs side by side until one of them ends; then the others are asked to end, and this process takes the
 * exit code of the first. Signals are passed on, never escalated: each program ends in its own good order.
 * With `ipc`, the program sees its channel close when this process is killed, and can end by itself.
 */
export async function supervise(programs) {
  const children = programs.map(launch);
  const tellAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, () => tellAll(signal));
  stopWithParent(() => tellAll('SIGTERM'));
  const exits = children.map(exitOf);
  const code = await Promise.race(exits);
  tellAll('SIGTERM');
  await Promise.all(exits);
  process.exit(code);
}

function launch({ command, args, env, cwd = root, ipc = false }) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(ipc ? ['ipc'] : [])];
  return spawn(command, args, { cwd, env, stdio });
}

function exitOf(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${child.spawnfile}: ${error.message}`));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** An npm that was killed cannot pass its end on: its script only sees that it has another parent. */
function stopWithParent(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_POLL_MS).unref();
}
