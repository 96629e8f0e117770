/** What was read of a text that a person wrote: its canonical form, or the rule that it breaks in one sentence. */
export type Reading = { ok: true; text: string } | { ok: false; problem: string };

/** Characters of a whole name without its final dot (RFC 1035 §2.3.4: 255 octets on the wire). */
export const DNS_NAME_MAX = 253;
const LABEL_MAX = 63;

const LDH_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const SERVICE_LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

export function problem(sentence: string): Reading {
  return { ok: false, problem: sentence };
}

/** Lower case, and labels beyond ASCII as A-labels (UTS 46); what is no name comes back as it is, for the rules. */
function toAscii(name: string): string {
  const plain = name.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return plain;
  // Only names: the parser of addresses would take `a/b` or `a@b` apart.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  if (/(?![a-z0-9._*-])[\x00-\x7f]/.test(plain) || !URL.canParse(`http://${name}`)) return plain;
  return new URL(`http://${name}`).hostname;
}

function problemOfLabel(label: string, form: RegExp, allowed: string): string | undefined {
  if (label === '') return 'Enter a name without empty parts, like www.example.com.';
  if (label.length > LABEL_MAX) return `Each part of a name can have at most ${LABEL_MAX} characters.`;
  if (/^-|-$/.test(label)) return "Parts of a name can't start or end with a hyphen.";
  if (!form.test(label)) return `Use only ${allowed}, like www.example.com.`;
  return undefined;
}

function problemOfName(name: string, { underscores }: { underscores: boolean }): string | undefined {
  const form = underscores ? SERVICE_LABEL : LDH_LABEL;
  const allowed = underscores ? 'letters, digits, hyphens and underscores' : 'letters, digits and hyphens';
  for (const label of name.split('.')) {
    const found = problemOfLabel(label, form, allowed);
    if (found) return found;
  }
  return problemOfLength(name);
}

function problemOfLength(name: string): string | undefined {
  if (name.length <= DNS_NAME_MAX) return undefined;
  return `A full name can have at most ${DNS_NAME_MAX} characters.`;
}

/**
 * A whole host name: at least two labels, a final dot tolerated, IDN as A-labels, never an address. With
 * `underscores`, labels such as `_domainkey` too (RFC 8552).
 */
export function readHostName(given: string, { underscores = false } = {}): Reading {
  const name = toAscii(given).replace(/\.$/, '');
  const found = problemOfName(name, { underscores });
  if (found) return problem(found);
  const labels = name.split('.');
  if (/^\d+$/.test(labels.at(-1) ?? '')) return problem('Enter a host name, not an IP address.');
  if (labels.length < 2) return problem(`Enter the full name, like ${name}.example.com.`);
  return { ok: true, text: name };
}

/** A domain that records are kept under: letters, digits and hyphens (RFC 1123 §2.1) or IDN, at least two labels. */
export function readDomain(given: string): Reading {
  const reading = readHostName(given);
  if (reading.ok || given.includes('.')) return reading;
  return problem('Enter a domain with at least two parts, like example.com.');
}

/** The whole name of a record, without the final dot. */
export function wholeName(name: string, domain: string): string {
  return name === '@' ? domain : `${name}.${domain}`;
}

/** A whole name as a record of the domain names it: `@`, or relative; undefined where it is not inside. */
export function relativeName(whole: string, domain: string): string | undefined {
  if (whole === domain) return '@';
  return whole.endsWith(`.${domain}`) ? whole.slice(0, -domain.length - 1) : undefined;
}

/**
 * A record's name in a canonical domain: `@` (or nothing) for the domain itself, relative, or whole inside the domain,
 * which a final dot makes certain. One `*` may be its first label (RFC 4592); labels may have underscores.
 */
export function readRecordName(given: string, domain: string): Reading {
  if (given === '' || given === '@') return { ok: true, text: '@' };
  const isWhole = given.endsWith('.');
  // With the domain after it, since a name that goes right to left is judged as a whole (RFC 5893 §2).
  const inside = toAscii(`${isWhole ? given.slice(0, -1) : given}.${domain}`);
  const name = relativeName(inside, domain) ?? inside;
  const relative = relativeName(name, domain) ?? name;
  if (isWhole && relative === name) {
    return problem(`${given} isn't part of ${domain}. Enter @, www or www.${domain}.`);
  }
  if (relative === '@' || relative === '*') return { ok: true, text: relative };
  const plain = relative.replace(/^\*\./, '');
  if (plain.includes('*')) return problem('A wildcard must be the whole first part, like * or *.dev.');
  const found = problemOfName(plain, { underscores: true }) ?? problemOfLength(wholeName(relative, domain));
  return found ? problem(found) : { ok: true, text: relative };
}
