import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { PREFIX } from './network-rules.ts';

/** Settings by interface (ip-sysctl); `all` stands for the whole machine, and sets every interface. */
const SETTINGS = '/proc/sys/net/ipv4/conf';
/**
 * Names the interfaces at which an installation of Nephos turned forwarding on. Like what it tells of, it is gone after a
 * restart of the machine.
 */
const TURNED_ON = '/run/nephos-forwarding';

/** Has nothing but answers to runs passed on of what comes in at these interfaces. */
type Close = (names: readonly string[]) => Promise<void>;

/**
 * Has the machine pass on the answers to runs, which come in at any interface; what runs send comes in at their own.
 * Nothing is changed where the whole machine forwards. The interfaces that forward because of us are closed to all else
 * before they do.
 */
export async function forwardAnswers(close: Close): Promise<void> {
  if (await forwards('all')) return close([]);
  const names = (await interfaces()).filter((name) => !name.startsWith(PREFIX));
  const states = await Promise.all(names.map(forwards));
  const off = names.filter((_, index) => !states[index]);
  // Written down first: a killed server may have turned on no more than what is there.
  if (off.length > 0) await appendFile(TURNED_ON, off.map((name) => `${name}\n`).join(''));
  await close(await turnedOn());
  for (const name of off) await setForwarding(name, true);
}

/**
 * Turns off what Nephos turned on, once no run of any installation has a network. Whoever needs a router besides us
 * (Docker) turns the whole machine on, and then it all stays. What still forwards because of us stays closed.
 */
export async function stopForwarding(close: Close): Promise<void> {
  const names = await turnedOn();
  if (names.length === 0 || (await hasRuns())) return close(names);
  if (!(await forwards('all'))) for (const name of names) await setForwarding(name, false);
  await rm(TURNED_ON, { force: true });
  // Another installation may have begun a run meanwhile, and found it on.
  return (await hasRuns()) ? forwardAnswers(close) : close([]);
}

/** Whether a run of any installation has a network. */
export async function hasRuns(): Promise<boolean> {
  return (await interfaces()).some((name) => name.startsWith(PREFIX));
}

async function interfaces(): Promise<string[]> {
  return (await readdir(SETTINGS)).filter((name) => !['all', 'default', 'lo'].includes(name));
}

async function turnedOn(): Promise<string[]> {
  const text = await readFile(TURNED_ON, 'utf8').catch(() => '');
  return [...new Set(text.split('\n').filter(Boolean))];
}

async function forwards(name: string): Promise<boolean> {
  const text = await readFile(`${SETTINGS}/${name}/forwarding`, 'utf8').catch(() => '1');
  return text.trim() !== '0';
}

async function setForwarding(name: string, on: boolean): Promise<void> {
  // The interface may be gone.
  await writeFile(`${SETTINGS}/${name}/forwarding`, on ? '1' : '0').catch(() => {});
}
