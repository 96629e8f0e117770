import { readTarget } from './dns-hosts.ts';
import { problem, type Reading } from './dns-names.ts';
import { MAX_UINT16, numberIn } from './dns-numbers.ts';

const FORM = 'Enter priority, weight and port from 0 to 65535, then a host, like 10 5 5060 sip.example.com.';

/** Priority, weight, port and host of an SRV record (RFC 2782); the host `.` says that there is no such service. */
export function readService(given: string): Reading {
  const fields = given.split(/\s+/);
  const [host = ''] = fields.slice(3);
  const numbers = fields.slice(0, 3).map((field) => numberIn(field, MAX_UINT16));
  if (fields.length !== 4 || numbers.includes(undefined)) return problem(FORM);
  if (host === '.') return { ok: true, text: `${numbers.join(' ')} .` };
  const target = readTarget('SRV', host);
  return target.ok ? { ok: true, text: `${numbers.join(' ')} ${target.text}` } : target;
}
