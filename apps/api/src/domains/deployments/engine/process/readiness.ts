import { setTimeout as wait } from 'node:timers/promises';
import { StepFailure } from '../step-failure.ts';
import type { AppProcess, StartedRun, StartOptions } from './app-process.ts';
import { duration } from './guard.ts';
import { askHealth } from './health.ts';
import { answers, findListener, type Listener, portsOf } from './listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { recentProcesses } from './process-table.ts';
import type { Run } from './runs.ts';

type Ready = Pick<AppProcess, 'origin' | 'ownPort'>;
type Waiting = Omit<StartOptions, 'onListening'>;
interface Started extends StartedRun {
  port: number;
}

/** Waits until `web` listens and answers well. Throws `StepFailure`, or the signal's reason. */
export async function untilReady(
  parts: ProcessParts,
  options: StartOptions,
  started: Started,
): Promise<Ready> {
  const begun = Date.now();
  const ready = await untilListening(parts, options, started);
  await options.onListening?.();
  const { healthTimeout } = options.app.settings;
  const within = healthTimeout === null ? parts.limits.healthTime : healthTimeout * 1000;
  const deadline = healthTimeout === null ? Date.now() + within : begun + within;
  await untilHealthy(parts, options, { origin: ready.origin, deadline, within });
  return ready;
}

/** Looks for a listener on the port that it was given, and, in case it does not heed that, among what it holds. */
async function untilListening(parts: ProcessParts, options: Waiting, { port, run }: Started): Promise<Ready> {
  const { limits } = parts;
  const { settings } = options.app;
  if (!run.hasOwnNetwork) assertOnePort(options);
  const within = settings.healthTimeout === null ? limits.listenTime : settings.healthTimeout * 1000;
  const deadline = Date.now() + within;
  let seen: number | undefined;
  let others: number[] = [];
  let next = 0;
  while (Date.now() < deadline) {
    const listener = await listenerOf(run, port);
    if (listener) return { origin: ownOrigin(options, listener, port), ownPort: settings.port };
    // All of /proc is read for it, which many starts at once could not afford at each poll.
    if (Date.now() >= next) {
      others = await portsOf(run.members(await recentProcesses(limits.healthPoll)).map(({ pid }) => pid));
      next = Date.now() + limits.portTime / 4;
    }
    if (others.length > 0) seen ??= Date.now();
    if (seen !== undefined && Date.now() - seen >= limits.portTime) {
      const found = await firstThatSpeaksHttp(parts, options, { run, ports: others });
      if (found) return found;
    }
    await wait(limits.healthPoll, undefined, { signal: options.signal });
  }
  throw new StepFailure('start', neverListened(options, { port, others, within }));
}

function assertOnePort({ app, process }: Waiting): void {
  if (app.settings.port === null || process.instances === 1) return;
  throw new StepFailure(
    'start',
    `Start failed: ${process.instances} instances can't all listen on port ${app.settings.port}. Clear the port in the settings, or run one instance.`,
  );
}

async function listenerOf(run: Run, port: number): Promise<Listener | undefined> {
  if (!run.hasOwnNetwork) return findListener(port);
  return (await answers(run.host, port)) ? { host: run.host, uid: undefined } : undefined;
}

function ownOrigin({ account }: Waiting, listener: Listener, port: number): string {
  if (account && listener.uid !== undefined && listener.uid !== account.uid) {
    throw new StepFailure(
      'start',
      `Start failed: another program listens on port ${port}. Deploy again, or set another port.`,
    );
  }
  return originOf(listener, port);
}

function originOf({ host }: Listener, port: number): string {
  return host === '::1' ? `http://[::1]:${port}` : `http://${host}:${port}`;
}

/** All are asked at once: one that speaks something else may let us wait. */
async function firstThatSpeaksHttp(
  parts: ProcessParts,
  options: Waiting,
  { run, ports }: { run: Run; ports: readonly number[] },
): Promise<Ready | undefined> {
  const asked = ports.map(async (port) => {
    const listener = await listenerOf(run, port);
    const origin = listener && originOf(listener, port);
    if (!origin || !(await ask(parts, options, origin)).isHttp) throw new Error('it is not the one');
    return { origin, ownPort: port };
  });
  const found = await Promise.any(asked).catch(() => undefined);
  if (found)
    options.log.system(`${options.process.label} listens on ${found.ownPort}, not on PORT; using it.`);
  return found;
}

function neverListened(
  { process, app }: Waiting,
  { port, others, within }: { port: number; others: readonly number[]; within: number },
): string {
  const subject = `Start failed: ${process.label}`;
  const advice = 'Make it listen on the port in the PORT environment variable';
  if (others.length > 0) {
    const ports = `port${others.length > 1 ? 's' : ''} ${others.join(', ')}`;
    return `${subject} listens on ${ports}, which gave no HTTP response, and not on port ${port}. ${advice}.`;
  }
  const instead = app.settings.port === null ? '' : ', or clear the port in the settings';
  return `${subject} did not listen on port ${port} within ${duration(within)}. ${advice}${instead}.`;
}

async function untilHealthy(
  parts: ProcessParts,
  options: Waiting,
  { origin, deadline, within }: { origin: string; deadline: number; within: number },
): Promise<void> {
  let said = 'gave no HTTP response';
  do {
    const answer = await ask(parts, options, origin);
    if (answer.healthy) return;
    said = answer.said;
    await wait(parts.limits.healthPoll, undefined, { signal: options.signal });
  } while (Date.now() < deadline);
  throw new StepFailure(
    'health',
    `Health check failed: ${options.app.healthPath || 'the app'} ${said} for ${duration(within)}.`,
  );
}

function ask({ limits, settings }: ProcessParts, { app, signal }: Waiting, origin: string) {
  return askHealth(origin, {
    path: app.healthPath,
    host: `${app.slug}.${settings.appsDomain}`,
    timeout: limits.healthRequestTime,
    signal,
  });
}
