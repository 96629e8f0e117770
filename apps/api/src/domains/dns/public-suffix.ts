import { parse } from 'tldts';
import { invalid } from '../../errors.ts';

/**
 * Refuses a domain under which others register names (publicsuffix.org, its private part too, such as `github.io`).
 * What no list knows, like `example.test` or `lab.internal`, is nobody's.
 */
export function assertNotPublicSuffix(domain: string): void {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  if (publicSuffix !== domain || !(isIcann || isPrivate)) return;
  const message = `${domain} is a public suffix, under which anyone registers names. Enter a domain of yours in it.`;
  throw invalid(message, [{ path: 'domain', message }]);
}
