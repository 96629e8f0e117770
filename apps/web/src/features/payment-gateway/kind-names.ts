import type { StatementLine } from '@nephos/contracts';

/** What moved the money of a statement's line, in a word. */
export const KIND_NAMES: Record<StatementLine['kind'], string> = {
  sent: 'Sent',
  received: 'Received',
  returned: 'Returned',
};
