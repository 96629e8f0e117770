import { problem, type Reading } from './dns-names.ts';

const EXAMPLE = '0 issue "letsencrypt.org"';
const FORM = `Enter flags, a tag and a value in quotes, like ${EXAMPLE}.`;

const FIELDS = /^(\d{1,3})\s+([a-z0-9]+)\s+(?:"([^"\\]*)"|([^\s"\\]+))$/i;
/** RFC 8659 §4.1.1: the one flag that there is, or none. */
const FLAGS: ReadonlySet<number> = new Set([0, 128]);

const ISSUER = '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const PARAMETER = '[a-z0-9]+\\s*=\\s*[\\x21\\x23-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*';
/** RFC 8659 §4.2: an authority with parameters, or `;` for none at all. */
const ISSUE = new RegExp(
  `^(?:${ISSUER})?\\s*(?:;\\s*(?:${PARAMETER}\\s*(?:;\\s*${PARAMETER}\\s*)*)?)?$`,
  'i',
);
const MAIL = /^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$/i;

function readIssue(value: string): string | undefined {
  if (value.trim() !== '' && ISSUE.test(value.trim())) return undefined;
  return 'Enter the domain of a certificate authority, like "letsencrypt.org", or ";" to allow none.';
}

function readReport(value: string): string | undefined {
  const isUrl = /^https?:\/\//i.test(value) && URL.canParse(value);
  if (isUrl || (/^mailto:/i.test(value) && MAIL.test(value.slice('mailto:'.length)))) return undefined;
  return 'Enter where reports go, like "mailto:security@example.com" or "https://example.com/report".';
}

/** What is wrong with a value, by tag (RFC 8659 §4, RFC 9495, and the CA/Browser Forum's contacts). */
const PROBLEM_BY_TAG: Readonly<Record<string, (value: string) => string | undefined>> = {
  issue: readIssue,
  issuewild: readIssue,
  issuemail: readIssue,
  iodef: readReport,
  contactemail: (value) =>
    MAIL.test(value) ? undefined : 'Enter an email address, like "admin@example.com".',
  contactphone: (value) =>
    /^[+\d][\d ().-]*$/.test(value) ? undefined : 'Enter a phone number, like "+1 555 0100".',
};

/** Flags, tag and value of a CAA record (RFC 8659 §4.1). */
export function readCaa(given: string): Reading {
  const [, flags = '', written = '', quoted, plain] = FIELDS.exec(given) ?? [];
  const value = quoted ?? plain;
  if (value === undefined) return problem(FORM);
  if (!FLAGS.has(Number(flags))) return problem('The flags of a CAA record are 0, or 128 for critical.');
  const tag = written.toLowerCase();
  if (!Object.hasOwn(PROBLEM_BY_TAG, tag)) {
    return problem(`The tag must be one of ${Object.keys(PROBLEM_BY_TAG).join(', ')}.`);
  }
  const found = /^[\x20-\x7e]*$/.test(value) ? PROBLEM_BY_TAG[tag]?.(value) : FORM;
  return found === undefined
    ? { ok: true, text: `${Number(flags)} ${tag} "${value.trim()}"` }
    : problem(found);
}
