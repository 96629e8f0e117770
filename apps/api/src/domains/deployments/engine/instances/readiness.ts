import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../../../core/settings.ts';
import { duration } from '../../../../platform/duration.ts';
import { WEB } from '../detect/plan.ts';
import type { Limits } from '../limits.ts';
import { type AppProcess, EndedEarly, type Ending, type StartOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { askHealth } from './health.ts';

type Ready = Pick<AppProcess, 'origin' | 'ownPort'>;
type Waiting = Omit<StartOptions, 'onListening'>;

interface Parts {
  limits: Limits;
  settings: Settings;
}

/** A `web` that was started, as it is looked at until it listens. */
export interface Listening {
  /** The one that it was given. */
  port: number;
  /** Whether its ports are those of the machine. */
  sharesPorts: boolean;
  /** The origin at which a port answers; undefined: nobody listens there. Throws `StepFailure` where another one does. */
  originOf(port: number): Promise<string | undefined>;
  /** All ports on which its processes listen. */
  ports(): Promise<number[]>;
}

/** Waits until `web` listens and answers well. Throws `StepFailure`, or the signal's reason. */
export async function untilReady(parts: Parts, options: StartOptions, started: Listening): Promise<Ready> {
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
async function untilListening(parts: Parts, options: Waiting, started: Listening): Promise<Ready> {
  const { limits } = parts;
  const { settings } = options.app;
  const { port } = started;
  if (started.sharesPorts) assertOnePort(options);
  const within = settings.healthTimeout === null ? limits.listenTime : settings.healthTimeout * 1000;
  const deadline = Date.now() + within;
  let seen: number | undefined;
  let others: number[] = [];
  let next = 0;
  while (Date.now() < deadline) {
    const origin = await started.originOf(port);
    if (origin) return { origin, ownPort: settings.port };
    // All of /proc is read for it, which many starts at once could not afford at each poll.
    if (Date.now() >= next) {
      others = await started.ports();
      next = Date.now() + limits.portTime / 4;
    }
    if (others.length > 0) seen ??= Date.now();
    if (seen !== undefined && Date.now() - seen >= limits.portTime) {
      const found = await firstThatSpeaksHttp(parts, options, { started, ports: others });
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

/** All are asked at once: one that speaks something else may let us wait. */
async function firstThatSpeaksHttp(
  parts: Parts,
  options: Waiting,
  { started, ports }: { started: Listening; ports: readonly number[] },
): Promise<Ready | undefined> {
  const asked = ports.map(async (port) => {
    const origin = await started.originOf(port);
    if (!origin || !(await ask(parts, options, origin)).isHttp) throw new Error('it is not the one');
    return { origin, ownPort: port };
  });
  const found = await Promise.any(asked).catch(() => undefined);
  if (found)
    options.log.system(`${options.process.label} listens on ${found.ownPort}, not on PORT; using it.`);
  return found;
}

const ON_ALL = 'Make it listen on 0.0.0.0, or on the address in the HOST environment variable.';

function neverListened(
  { process, app }: Waiting,
  { port, others, within }: { port: number; others: readonly number[]; within: number },
): string {
  const subject = `Start failed: ${process.label}`;
  const advice = 'Make it listen on the port in the PORT environment variable';
  if (others.includes(port)) return `${subject} listens on port ${port} of its own loopback alone. ${ON_ALL}`;
  if (others.length > 0) {
    const ports = `port${others.length > 1 ? 's' : ''} ${others.join(', ')}`;
    return `${subject} listens on ${ports}, which gave no HTTP response, and not on port ${port}. ${advice}.`;
  }
  const instead = app.settings.port === null ? '' : ', or clear the port in the settings';
  return `${subject} did not listen on port ${port} within ${duration(within)}. ${advice}${instead}.`;
}

async function untilHealthy(
  parts: Parts,
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

function ask({ limits, settings }: Parts, { app, signal }: Waiting, origin: string) {
  return askHealth(origin, {
    path: app.healthPath,
    host: `${app.slug}.${settings.appsDomain}`,
    timeout: limits.healthRequestTime,
    signal,
  });
}

/** That a run ended before it was ready, for whoever deploys. */
export function endedEarly({ name, label }: StartOptions['process'], ending: Ending): EndedEarly {
  const subject = name === WEB ? label : `the process ${name} (${label})`;
  const hint = ending.how.includes('code 0') ? 'An app must keep running.' : 'See the log for details.';
  return new EndedEarly(`Start failed: ${subject} ${ending.how}. ${hint}`, ending);
}
