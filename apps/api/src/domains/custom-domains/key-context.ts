/** What the key of a domain's certificate is sealed with. */
export function keyContext(domainId: string): string {
  return `domain-certificate:${domainId}`;
}
