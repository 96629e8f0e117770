import type { CorsRule, LifecycleRule } from '@nephos/contracts';
import { formatDate, formatSize } from '../../lib/format.ts';

const ALL = new Intl.ListFormat('en', { type: 'conjunction' });
const ANY = new Intl.ListFormat('en', { type: 'disjunction' });

/** What a rule is called; its place where it has no name. */
export function nameOfRule({ id }: { id?: string | undefined }, at: number): string {
  return id || `Rule ${at + 1}`;
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count.toLocaleString('en')} days`;
}

/** Of which files a rule speaks. */
function filesOf({ prefix, tags, above, below }: LifecycleRule): string {
  const tagged = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  return [
    'Files',
    prefix !== '' && `whose path begins with ${prefix}`,
    tagged.length > 0 && `tagged ${ALL.format(tagged)}`,
    above !== undefined && `over ${formatSize(above)}`,
    below !== undefined && `under ${formatSize(below)}`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** What a rule by age says, in sentences. */
export function lifecycleWords(rule: LifecycleRule): string {
  const { expiry, former, abortDays, prefix } = rule;
  const sentences: string[] = [];
  if (expiry && 'days' in expiry) sentences.push(`${filesOf(rule)} are deleted after ${days(expiry.days)}.`);
  if (expiry && 'date' in expiry)
    sentences.push(`${filesOf(rule)} are deleted from ${formatDate(expiry.date)} on.`);
  if (expiry && 'markers' in expiry && expiry.markers)
    sentences.push('Delete markers that stand alone are removed.');
  if (former) {
    const kept = former.kept === undefined ? '' : `, but for the newest ${former.kept}`;
    const whose =
      sentences.length > 0 || prefix === '' ? 'Former versions' : `Former versions below ${prefix}`;
    sentences.push(`${whose} are deleted after ${days(former.days)}${kept}.`);
  }
  if (abortDays !== undefined) {
    const whose =
      sentences.length > 0 || prefix === '' ? 'Unfinished uploads' : `Unfinished uploads below ${prefix}`;
    sentences.push(`${whose} are given up after ${days(abortDays)}.`);
  }
  return sentences.join(' ');
}

/** What a rule for pages of other sites says, in sentences. */
export function corsWords({ origins, methods, headers, exposed, maxAge }: CorsRule): string {
  const pages = origins.includes('*') ? 'Pages of any site' : `Pages of ${ANY.format(origins)}`;
  return [
    `${pages} may send ${ALL.format(methods)}`,
    headers.length > 0 &&
      ` with ${headers.includes('*') ? 'any headers' : `the headers ${ALL.format(headers)}`}`,
    '.',
    exposed.length > 0 && ` They may read ${ALL.format(exposed)}.`,
    maxAge !== undefined && ` Browsers remember this for ${maxAge.toLocaleString('en')} seconds.`,
  ]
    .filter((part) => part !== false)
    .join('');
}
