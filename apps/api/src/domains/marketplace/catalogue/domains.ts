import { DnsDomain, NewDnsRecord, NULL_MX } from '@nephos/contracts';
import { ask, type CatalogueItem, type Question } from './item.ts';

export const domainQuestion: Question = ask('domain', DnsDomain, {
  label: 'Domain',
  placeholder: 'example.com',
});

const verification: CatalogueItem = {
  id: 'domain-verification',
  version: '1.0.0',
  name: 'Domain verification',
  description: 'A TXT record that proves you own a domain.',
  category: 'Domains',
  isTemplate: false,
  questions: [
    domainQuestion,
    ask('value', NewDnsRecord.shape.value, {
      label: 'Value',
      hint: 'Copy it from the service.',
      placeholder: 'google-site-verification=…',
    }),
  ],
  steps: (answer) => [
    {
      kind: 'dns',
      label: 'Verification TXT record',
      input: { domain: answer('domain'), recordType: 'TXT', value: answer('value') },
    },
  ],
};

/** As M3AAWG's "Protecting Parked Domains" asks: RFC 7505, RFC 7208 §10.1.2 and RFC 7489 §6.3. */
const withoutMail: CatalogueItem = {
  id: 'domain-without-mail',
  version: '1.0.0',
  name: 'Domain without mail',
  description:
    'For a domain without email: MX, SPF and DMARC records that make servers reject mail to or from it.',
  category: 'Domains',
  isTemplate: false,
  questions: [domainQuestion],
  steps: (answer) => [
    {
      kind: 'dns',
      label: 'Null MX record',
      input: { domain: answer('domain'), recordType: 'MX', value: NULL_MX },
    },
    {
      kind: 'dns',
      label: 'SPF record',
      input: { domain: answer('domain'), recordType: 'TXT', value: 'v=spf1 -all' },
    },
    {
      kind: 'dns',
      label: 'DMARC record',
      input: { domain: answer('domain'), recordType: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=reject;' },
    },
  ],
};

export const domainItems: readonly CatalogueItem[] = [verification, withoutMail];
