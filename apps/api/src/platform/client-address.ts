import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Whom an address stands for in a count: itself, or for IPv6 the /64 it is in, all of which one host can have. */
export function clientAt(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** The address that a request comes from: the nearest one that is not a proxy whose `X-Forwarded-For` is believed. */
export function peerOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isTrusted: (address: string) => boolean,
): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const chain = [
    peer,
    ...forwarded
      .map((address) => address.trim())
      .filter(Boolean)
      .toReversed(),
  ];
  return chain.find((address) => !isTrusted(address)) ?? chain.at(-1) ?? peer;
}
