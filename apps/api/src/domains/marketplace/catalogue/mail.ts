import { NewDnsRecord, type RecordType, readValue } from '@nephos/contracts';
import { z } from 'zod';
import { domainQuestion } from './domains.ts';
import { ask, type CatalogueItem, type Question } from './item.ts';

interface MailRecord {
  label: string;
  recordType: RecordType;
  name?: string;
  value: string;
}

interface MailProvider extends Pick<CatalogueItem, 'id' | 'name' | 'description'> {
  /** Beside the domain's. */
  questions?: readonly Question[];
  records(answer: (name: string) => string): readonly MailRecord[];
}

function mail({ questions = [], records, ...item }: MailProvider): CatalogueItem {
  return {
    ...item,
    version: '1.0.0',
    category: 'Email',
    isTemplate: false,
    questions: [{ ...domainQuestion, hint: 'A domain without MX and SPF records yet.' }, ...questions],
    steps: (answer) =>
      records(answer).map(({ label, ...record }) => ({
        kind: 'dns',
        label,
        input: { domain: answer('domain'), ...record },
      })),
  };
}

const mx = (value: string, label = 'MX record'): MailRecord => ({ label, recordType: 'MX', value });

const spf = (value: string): MailRecord => ({ label: 'SPF record', recordType: 'TXT', value });

/** support.google.com/a/answer/174125 (MX, for accounts since April 2023) and /a/answer/33786 (SPF). */
const googleWorkspace = mail({
  id: 'google-workspace-mail',
  name: 'Google Workspace mail',
  description: 'The MX and SPF records for Google Workspace. Create its DKIM key in the Admin console.',
  records: () => [mx('1 smtp.google.com'), spf('v=spf1 include:_spf.google.com ~all')],
});

const MicrosoftMailServer = z
  .string()
  .trim()
  .min(1, 'Mail server is required.')
  .refine(
    (host) => host !== '.' && readValue('MX', `0 ${host}`).ok,
    'Enter the host of the MX record, like example-com.mail.protection.outlook.com.',
  );

/** learn.microsoft.com/microsoft-365/admin/get-help-with-domains/create-dns-records-at-any-dns-hosting-provider. */
const microsoft365 = mail({
  id: 'microsoft-365-mail',
  name: 'Microsoft 365 mail',
  description:
    'The MX, SPF and autodiscover records for Exchange Online. Add the DKIM records separately: they differ for each ' +
    'organization.',
  questions: [
    ask('mailServer', MicrosoftMailServer, {
      label: 'Mail server',
      hint: "The MX record's target, shown in the Microsoft 365 admin center under Settings > Domains.",
      placeholder: 'example-com.mail.protection.outlook.com',
    }),
  ],
  records: (answer) => [
    mx(`0 ${answer('mailServer')}`),
    spf('v=spf1 include:spf.protection.outlook.com -all'),
    {
      label: 'Autodiscover CNAME record',
      recordType: 'CNAME',
      name: 'autodiscover',
      value: 'autodiscover.outlook.com',
    },
  ],
});

/** www.fastmail.help/hc/en-us/articles/360060591153, "Full list of DNS records". */
const fastmail = mail({
  id: 'fastmail-mail',
  name: 'Fastmail',
  description: 'The MX, SPF and DKIM records for Fastmail.',
  records: (answer) => [
    mx('10 in1-smtp.messagingengine.com', 'First MX record'),
    mx('20 in2-smtp.messagingengine.com', 'Second MX record'),
    spf('v=spf1 include:spf.messagingengine.com ?all'),
    ...['fm1', 'fm2', 'fm3'].map(
      (selector): MailRecord => ({
        label: `DKIM record ${selector}`,
        recordType: 'CNAME',
        name: `${selector}._domainkey`,
        value: `${selector}.${answer('domain')}.dkim.fmhosted.com`,
      }),
    ),
  ],
});

/** proton.me/support/custom-domain and proton.me/support/anti-spoofing-custom-domain. */
const proton = mail({
  id: 'proton-mail',
  name: 'Proton Mail',
  description:
    'The verification, MX and SPF records for Proton Mail. Add the DKIM records separately: they differ for each ' +
    'account.',
  questions: [
    ask('verification', NewDnsRecord.shape.value, {
      label: 'Verification',
      hint: 'Shown in Proton under Domain names > Verify.',
      placeholder: 'protonmail-verification=…',
    }),
  ],
  records: (answer) => [
    { label: 'Verification TXT record', recordType: 'TXT', value: answer('verification') },
    mx('10 mail.protonmail.ch', 'First MX record'),
    mx('20 mailsec.protonmail.ch', 'Second MX record'),
    spf('v=spf1 include:_spf.protonmail.ch ~all'),
  ],
});

export const mailItems: readonly CatalogueItem[] = [googleWorkspace, microsoft365, fastmail, proton];
