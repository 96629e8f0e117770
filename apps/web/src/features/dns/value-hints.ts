import type { RecordType } from '@nephos/contracts';

interface ValueHint {
  placeholder: string;
  /** What a value of the type is. */
  hint: string;
}

/** Addresses are of the ranges for documentation (RFC 5737, RFC 3849). */
export const VALUE_HINTS: Record<RecordType, ValueHint> = {
  A: { placeholder: '203.0.113.10', hint: 'The IPv4 address that the name leads to.' },
  AAAA: { placeholder: '2001:db8::10', hint: 'The IPv6 address that the name leads to.' },
  CNAME: {
    placeholder: 'app.example.com',
    hint: 'The host name that this one is another name of. It stands alone at its name, and never at the domain itself.',
  },
  MX: {
    placeholder: '10 mail.example.com',
    hint: 'A preference (lower is tried first) and the host that takes the mail; 0 and a dot where none does.',
  },
  TXT: { placeholder: 'v=spf1 mx -all', hint: 'The text as it is, without quotes.' },
  NS: {
    placeholder: 'ns1.example.net',
    hint: 'The host name of a name server that answers for everything below the name.',
  },
};
