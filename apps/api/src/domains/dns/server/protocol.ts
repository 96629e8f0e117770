/** Numbers of the DNS that its messages carry (IANA "Domain Name System Parameters"). */

export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  TLSA: 52,
  CDS: 59,
  CDNSKEY: 60,
  SVCB: 64,
  HTTPS: 65,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  CAA: 257,
  /** Ours alone: a type has 16 bits in a message, so nobody can ask for it. */
  ALIAS: 65_536,
} as const;

export const CLASS_IN = 1;
export const CLASS_ANY = 255;

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  NOTAUTH: 9,
  /** RFC 6891 §9: its upper bits travel in the OPT record. */
  BADVERS: 16,
  /** RFC 7873 §8. */
  BADCOOKIE: 23,
} as const;

/** EDNS options that we speak. */
export const OPTION = { NSID: 3, COOKIE: 10, TCP_KEEPALIVE: 11, EXTENDED_ERROR: 15 } as const;

/** RFC 8914 §4. */
export const EXTENDED_ERROR = { PROHIBITED: 18, NOT_AUTHORITATIVE: 20, NOT_SUPPORTED: 21 } as const;

/** What is wrong with a signature, RFC 8945 §3: in the TSIG record of an answer whose code is NOTAUTH. */
export const TSIG_ERROR = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

/** As `dig` prints a code. */
export function rcodeName(code: number): string {
  return Object.entries(RCODE).find(([, value]) => value === code)?.[0] ?? `RCODE${code}`;
}

/** Bits of a header's second word, RFC 1035 §4.1.1. */
export const FLAG = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100, CD: 0x0010 } as const;

export const HEADER_BYTES = 12;
/** Bytes of an OPT record without options. */
export const OPT_BYTES = 11;
/** Bytes that a message over TCP can have. */
export const MAX_MESSAGE = 65_535;
/** Bytes of an answer by UDP to a question without EDNS (RFC 1035 §4.2.1). */
export const PLAIN_UDP = 512;
/** Bytes of any answer by UDP: it fits every link without fragments (DNS flag day 2020). */
export const MAX_UDP = 1232;
