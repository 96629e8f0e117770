import { expect, it } from 'vitest';
import { hostsOf, resolversOf } from './network.ts';
import { addressesOf, interfaceOf, LINKS, machineRules, RESOLVER } from './network-rules.ts';

it('gives every run two addresses and a name of an interface', () => {
  expect(addressesOf(0)).toEqual({ machine: '198.18.0.0', run: '198.18.0.1' });
  expect(addressesOf(LINKS - 1)).toEqual({ machine: '198.18.255.254', run: '198.18.255.255' });
  expect(interfaceOf(LINKS - 1)).toBe('nph7fff');
});

it('admits what was given, and refuses the rest of the machine, other runs and metadata', () => {
  const rules = machineRules('t', {
    ...{ loopback: [5433], public: [443], resolver: '127.0.0.53' },
    closed: ['eth0', 'wg0'],
  });
  expect(rules).toContain('ip daddr 198.18.0.0/16 tcp dport 5433 dnat to 127.0.0.1');
  expect(rules).toContain('tcp dport 443 accept');
  expect(rules).toContain(`ip daddr ${RESOLVER} meta l4proto { tcp, udp } th dport 53 dnat to 127.0.0.53`);
  const input = rules.slice(rules.indexOf('chain input'), rules.indexOf('chain forward'));
  expect(input.trim().split('\n').at(-2)?.trim()).toBe(
    'iifname "nph*" reject with icmp type admin-prohibited',
  );
  expect(rules).toMatch(/iifname "nph\*" oifname "nph\*" meta l4proto tcp reject/);
  const forward = rules.slice(rules.indexOf('chain forward')).split('\n');
  const at = (text: string) => forward.findIndex((line) => line.includes(text));
  expect(at('{ 169.254.0.0/16, 100.100.100.200, ')).toBeGreaterThan(0);
  // Names may be asked for there, and whatever else is refused before the rest is let through.
  expect(at('th dport 53 accept')).toBeLessThan(at('192.0.0.192 } meta l4proto tcp reject'));
  expect(at('192.0.0.192 } reject')).toBeLessThan(forward.indexOf('  iifname "nph*" accept'));
  expect(at('iifname { "eth0", "wg0" } oifname != "nph*" drop')).toBe(2);
});

it('keeps the names of other machines, and localhost as IPv4', () => {
  const text =
    '127.0.0.1 localhost\n127.0.1.1 host\n::1 localhost\n# 10.0.0.1 no\n10.0.0.2 db\nfe00::1 six\n';
  expect(hostsOf(text)).toBe('127.0.0.1 localhost app\n10.0.0.2 db\nfe00::1 six\n');
});

it.each([
  ['its own', 'nameserver 9.9.9.9\nsearch corp\n', '', 'nameserver 9.9.9.9\nsearch corp\n', undefined],
  [
    'those behind systemd-resolved',
    'nameserver 127.0.0.53\n',
    'nameserver 1.1.1.1\n',
    'nameserver 1.1.1.1\n',
    undefined,
  ],
  [
    'one on loopback by another address',
    'nameserver 127.0.0.1\n',
    '',
    `nameserver ${RESOLVER}\n`,
    '127.0.0.1',
  ],
])('asks %s for names', (_, own, ofSystemd, text, resolver) => {
  expect(resolversOf(own, ofSystemd)).toEqual({ resolver, text });
});
