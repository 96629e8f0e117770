import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PREFIX } from './network-rules.ts';

const run = promisify(execFile);

/**
 * What is of runs, at the end of the machine's own rules: those still refuse what they name, but their policy, which
 * Docker and ufw set to forward nothing, no longer meets runs. What runs may reach is said by our own rules.
 */
const RULES = [
  ['-i', `${PREFIX}+`, '-j', 'ACCEPT'],
  ['-o', `${PREFIX}+`, '-m', 'conntrack', '--ctstate', 'RELATED,ESTABLISHED', '-j', 'ACCEPT'],
];

/** Has the machine's firewall pass on what is of runs (iptables(8)); a rule that is there is not made again. */
export async function passForwardPolicy(iptables: string): Promise<void> {
  for (const rule of RULES) {
    if (!(await isThere(iptables, rule))) await run(iptables, ['--wait', '-A', 'FORWARD', ...rule]);
  }
}

/** Takes the rules away. */
export async function leaveForwardPolicy(iptables: string): Promise<void> {
  for (const rule of RULES) await run(iptables, ['--wait', '-D', 'FORWARD', ...rule]).catch(() => {});
}

async function isThere(iptables: string, rule: readonly string[]): Promise<boolean> {
  return run(iptables, ['--wait', '-C', 'FORWARD', ...rule]).then(
    () => true,
    () => false,
  );
}
