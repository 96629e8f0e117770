import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** What every process of ours carries in its environment, so that it is found again after we were killed. */
export const DEPLOYMENT_MARK = 'NEPHOS_DEPLOYMENT';
export const INSTANCE_MARK = 'NEPHOS_INSTANCE';

export interface ProcessInfo {
  pid: number;
  parent: number;
  session: number;
  /** Resident memory in bytes. */
  memory: number;
  uid: number;
  /** Values of the marks; undefined where the environment has none, or is not ours to read. */
  deployment: string | undefined;
  instance: string | undefined;
}

const PAGE = 4096;
/** Processes read before other work gets its turn. */
const BATCH = 64;

/** Every living process (zombies are not). Empty where there is no /proc. */
export async function readProcesses(): Promise<ProcessInfo[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
  const found: ProcessInfo[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % BATCH === BATCH - 1) await new Promise(setImmediate);
    const info = readProcess(pid);
    if (info) found.push(info);
  }
  return found;
}

function readProcess(pid: number): ProcessInfo | undefined {
  try {
    // The program's name stands in brackets and may hold any character (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [state, parent, , session] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const { uid } = statSync(`/proc/${pid}`);
    return {
      pid,
      parent: Number(parent),
      session: Number(session),
      memory: Number(fields[21]) * PAGE,
      uid,
      ...marksOf(pid),
    };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

function marksOf(pid: number): Pick<ProcessInfo, 'deployment' | 'instance'> {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    const markOf = (name: string) =>
      environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
    return { deployment: markOf(DEPLOYMENT_MARK), instance: markOf(INSTANCE_MARK) };
  } catch {
    return { deployment: undefined, instance: undefined };
  }
}
