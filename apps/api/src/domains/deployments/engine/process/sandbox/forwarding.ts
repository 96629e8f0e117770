import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { PREFIX } from './network-rules.ts';

/** Settings by interface (ip-sysctl); `all` stands for the whole machine, and sets every interface. */
const SETTINGS = '/proc/sys/net/ipv4/conf';
/**
 * Names the interfaces at which an installation of Nephos turned forwarding on. Like what it tells of, it is gone after a
 * restart of the machine.
 */
const TURNED_ON = '/run/nephos-forwarding';

/**
 * Has the machine pass on the answers to runs, which come in at any interface; what runs send comes in at their own.
 * Nothing is changed where the whole machine forwards. Returns the interfaces that forward because of us.
 */
export async function forwardAnswers(): Promise<string[]> {
  if (await forwards('all')) return [];
  const names = (await interfaces()).filter((name) => !name.startsWith(PREFIX));
  const states = await Promise.all(names.map(forwards));
  const off = names.filter((_, index) => !states[index]);
  // Written down first: a killed server may have turned on no more than what is there.
  if (off.length > 0) await appendFile(TURNED_ON, off.map((name) => `${name}\n`).join(''));
  for (const name of off) await setForwarding(name, true);
  return turnedOn();
}

/**
 * Turns off what Nephos turned on, once no run of any installation has a network. Whoever needs a router besides us
 * (Docker) turns the whole machine on, and then it all stays. Returns the interfaces that still forward because of us.
 */
export async function stopForwarding(): Promise<string[]> {
  const names = await turnedOn();
  if (names.length === 0 || (await hasRuns())) return names;
  if (!(await forwards('all'))) for (const name of names) await setForwarding(name, false);
  await rm(TURNED_ON, { force: true });
  // Another installation may have begun a run meanwhile, and found it on.
  return (await hasRuns()) ? forwardAnswers() : [];
}

async function hasRuns(): Promise<boolean> {
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
