/**
 * The domain that was registered, to which a host name, or `*.` and one, belongs (publicsuffix.org, its private part too, as
 * authorities count). A name that is itself a suffix stands for itself.
 */
export async function registeredDomainOf(name: string): Promise<string> {
  const { getDomain } = await import('tldts');
  const host = name.replace(/^\*\./, '');
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(host, options) ?? host;
}
