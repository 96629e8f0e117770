import type { AlertKind } from '@nephos/contracts';
import { ALERT_KINDS, ALERT_VIEWS } from '@nephos/contracts/constants';

export type AlertView = (typeof ALERT_VIEWS)[number];

/** What the page reads from its address; what is left out is undefined: all alerts. */
export interface AlertsSearch {
  view?: AlertView | undefined;
  kind?: AlertKind | undefined;
}

export function alertsSearch({ view, kind }: Record<string, unknown>): AlertsSearch {
  const known = ALERT_VIEWS.find((candidate) => candidate === view);
  return {
    view: known === 'all' ? undefined : known,
    kind: ALERT_KINDS.find((candidate) => candidate === kind),
  };
}
