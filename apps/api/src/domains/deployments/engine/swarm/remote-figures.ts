import type { Logger } from 'pino';
import { z } from 'zod';
import { boundedFetch } from '../../../../platform/bounded-fetch.ts';
import type { Usage } from '../../../observability/app-figures.ts';
import { type Daemon, isAway } from '../container/daemon.ts';
import { LABELS } from '../container/names.ts';
import { countCpuTime } from '../instances/cpu-time.ts';
import { AGENT_CONTAINERS } from './figures-agent.ts';
import { type FiguresServiceOptions, openFiguresService } from './figures-service.ts';
import { hostInUrl, type Machine } from './machines.ts';
import { readTasks, type ServiceTask, type SwarmState } from './swarm-state.ts';

/** What instances on other machines use, which an agent on each of them tells. */
export interface RemoteFigures {
  /** Tells what the container of a task uses whenever its machine's agent has said so, until `signal` aborts. */
  watch(
    task: Pick<ServiceTask, 'machine' | 'container'>,
    options: { onUsage: (usage: Usage) => void; isTakenOver: boolean; signal: AbortSignal },
  ): void;
  /** Asks from now on. */
  start(): void;
  close(): void;
}

export interface RemoteFiguresParts extends Omit<FiguresServiceOptions, 'here'> {
  daemon: Daemon;
  swarm: SwarmState;
  log: Logger;
  /** Milliseconds from one question to the next. */
  period: number;
}

const ANSWER_MS = 1000;
const ANSWER_BYTES = 64 * 1024;
/** Milliseconds between two looks at whether agents run, beyond what the swarm does for them. */
const OPEN_MS = 30_000;

const Answer = z.record(
  z.string(),
  z.object({ memory: z.number().nonnegative(), cpuMs: z.number().nonnegative() }),
);

interface Watched {
  machine: string;
  tell(use: z.infer<typeof Answer>[string]): void;
}

export function createRemoteFigures(parts: RemoteFiguresParts): RemoteFigures {
  const { daemon, swarm, log, period, instance, token } = parts;
  const ask = boundedFetch(ANSWER_BYTES);
  const watched = new Map<string, Watched>();
  /** Machines that are yet to answer. */
  const asked = new Set<string>();
  const blamed = new Set<string>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOpening = false;
  let opensAt = 0;

  /** What keeps agents away, of all machines or of one, is told once: apps run without them. */
  const warn = (why: { err: unknown } | { machine: string; reason: string }) => {
    const about = 'machine' in why ? why.machine : '';
    if (blamed.has(about)) return;
    blamed.add(about);
    log.warn(why, 'CPU and memory of instances on other machines are not shown');
  };
  const open = async (here: Machine) => {
    if (isOpening || Date.now() < opensAt) return;
    isOpening = true;
    opensAt = Date.now() + OPEN_MS;
    try {
      await openFiguresService(daemon, { ...parts, here });
    } catch (error) {
      if (!closing.signal.aborted && !isAway(error)) warn({ err: error });
    } finally {
      isOpening = false;
    }
  };
  /** Where the agent of each machine listens. */
  const findAgents = async () => {
    const tasks = await readTasks(daemon, `${LABELS.agentOf}=${instance}`);
    const newest = new Map(tasks.map((task) => [task.machine, task]));
    for (const { machine, error: reason } of newest.values())
      if (reason !== '') warn({ machine: swarm.machine(machine)?.name ?? machine, reason });
    return newest;
  };
  const read = async (id: string, port: number) => {
    const containers = [...watched].flatMap(([container, { machine }]) =>
      machine === id ? [container] : [],
    );
    const origin = `http://${hostInUrl(swarm.machine(id)?.address ?? '')}:${port}`;
    for (let at = 0; at < containers.length; at += AGENT_CONTAINERS) {
      const ids = containers.slice(at, at + AGENT_CONTAINERS);
      const response = await ask(`${origin}/?ids=${ids.join(',')}`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      const uses = Answer.parse(await response.json());
      for (const container of ids) {
        const use = uses[container];
        if (use) watched.get(container)?.tell(use);
      }
    }
  };
  const look = async () => {
    const all = swarm.machines();
    const here = all.find(({ isHere }) => isHere);
    if (swarm.reason() !== '' || !here || all.length === 1) return;
    void open(here);
    if (watched.size === 0) return;
    const machines = new Set([...watched.values()].map(({ machine }) => machine));
    for (const [id, { state, port }] of await findAgents()) {
      if (state !== 'running' || port === null || !machines.has(id) || asked.has(id)) continue;
      asked.add(id);
      // One that does not answer has no figures until it does.
      void read(id, port)
        .catch(() => {})
        .finally(() => asked.delete(id));
    }
  };

  return {
    watch({ machine, container }, { onUsage, isTakenOver, signal }) {
      const cpuSince = countCpuTime({ isTakenOver });
      const tell = ({ memory, cpuMs }: Parameters<Watched['tell']>[0]) =>
        onUsage({ memory, cpuMs: cpuSince(cpuMs) });
      watched.set(container, { machine, tell });
      signal.addEventListener('abort', () => watched.delete(container), { once: true });
    },
    start() {
      timer = setInterval(() => void look().catch(() => {}), period).unref();
    },
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
