import { formatInstant } from '../../lib/format.ts';

/** When something was used or paid; 'N/A' where that is not known (specification §2). */
export function When({ instant }: { instant: string | null }) {
  return instant === null ? <>N/A</> : <time dateTime={instant}>{formatInstant(instant)}</time>;
}
