import { z } from 'zod';
import { NAME_SERVER_PORT } from './constants.ts';
import { readIpv4, readIpv6 } from './dns-hosts.ts';
import { DnsDomain } from './dns-records.ts';
import { mutation, query } from './kit.ts';
import { Id, Success } from './page.ts';
import { line } from './text.ts';

/** Characters of the longest spelling of an IPv6 address. */
const ADDRESS_MAX = 45;
const PORT = 'Port must be a whole number from 1 to 65535.';
const ADDRESS = 'Enter an IP address, like 203.0.113.53 or 2001:db8::53.';

/** An IP address in one spelling: a mapped IPv4 address is the IPv4 address. */
const SecondaryAddress = line(ADDRESS_MAX, 'Address').check((ctx) => {
  if (ctx.issues.length > 0) return;
  const given = ctx.value.replace(/^::ffff:(?=\d+\.)/i, '');
  const reading = given.includes(':') ? readIpv6(given) : readIpv4(given);
  if (reading.ok) ctx.value = reading.text.replace(/^::ffff:/, '');
  else ctx.issues.push({ code: 'custom', input: ctx.value, message: ADDRESS });
});

/** Another name server that copies a domain from here. */
export const DnsSecondary = z.object({
  id: Id,
  /** From which it copies, and where it is told of changes. */
  address: z.string(),
  port: z.int(),
  /** The serial that it answered with last; null until it answers for the domain. */
  serial: z.int().nullable(),
  /** When that was. */
  answeredAt: z.iso.datetime().nullable(),
  /** Since when it has not answered for the domain; null while it does. */
  failingSince: z.iso.datetime().nullable(),
  /** What it did last instead of copying the domain, as a sentence; '' where nothing is wrong. */
  problem: z.string(),
});
export type DnsSecondary = z.output<typeof DnsSecondary>;

/** The secondaries of a domain, and the key by which they and this server know each other. */
export const DnsSecondaries = z.object({
  /** The domain's serial: a secondary that has it is up to date. */
  serial: z.int(),
  /** Without its secret; null until one is made. */
  key: z.object({ name: z.string(), createdAt: z.iso.datetime() }).nullable(),
  secondaries: z.array(DnsSecondary),
});
export type DnsSecondaries = z.output<typeof DnsSecondaries>;

/** A key of TSIG (RFC 8945). */
export const DnsTransferKey = z.object({
  name: z.string(),
  algorithm: z.literal('hmac-sha256'),
  /** In base64. */
  secret: z.string(),
});
export type DnsTransferKey = z.output<typeof DnsTransferKey>;

const OfDomain = z.object({ domain: DnsDomain });

export const NewDnsSecondary = OfDomain.extend({
  address: SecondaryAddress,
  port: z.int(PORT).min(1, PORT).max(65_535, PORT).default(NAME_SERVER_PORT),
});

const ROUTE = '/api/dns-zones/{domain}/secondaries';

/** Rows of the domain `dns` that are about who copies zones. */
export const dnsSecondaries = {
  secondaries: query({
    summary: "A domain's secondary name servers, and how far each has copied it",
    route: `GET ${ROUTE}`,
    forAssistant: true,
    input: OfDomain,
    output: DnsSecondaries,
  }),
  addSecondary: mutation({
    summary:
      'Let a name server at this address copy the domain (AXFR, IXFR), and tell it of changes (NOTIFY)',
    route: `POST ${ROUTE}`,
    status: 201,
    perMinute: 30,
    input: NewDnsSecondary,
    output: DnsSecondary,
  }),
  removeSecondary: mutation({
    summary: 'Stop a name server from copying the domain',
    route: `DELETE ${ROUTE}/{id}`,
    perMinute: 30,
    input: OfDomain.extend({ id: Id }),
    output: Success,
  }),
  renewTransferKey: mutation({
    summary:
      'Make the key (TSIG) that signs transfers, in the place of the one there is; its secret is told only here',
    route: 'POST /api/dns-zones/{domain}/transfer-key',
    fresh: true,
    perMinute: 20,
    secret: true,
    input: OfDomain,
    output: DnsTransferKey,
  }),
};
