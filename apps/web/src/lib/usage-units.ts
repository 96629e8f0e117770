import { RATE_CARD, type UsageType } from '@nephos/contracts/constants';

const AMOUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });
/** Units; less than that is not shown as a figure. */
const LEAST = 0.0001;

export const USAGE_NAMES: Readonly<Record<UsageType, string>> = {
  deployment: 'Deployments',
  database: 'Databases',
  storage: 'Storage',
  container: 'Containers',
  egress: 'Egress',
};

/** What is measured of each, in words. */
export const USAGE_MEANINGS: Readonly<Record<UsageType, string>> = {
  deployment: 'Per hour an app runs',
  database: 'Database storage',
  storage: 'Stored files and disks',
  container: 'Images in the registry',
  egress: 'Traffic your apps send to visitors',
};

/** The unit of one: `hour`, `GB-hour`, `GB`. */
export function unitOf(type: UsageType): string {
  return RATE_CARD[type].unit.replace(/s$/, '');
}

/** An amount in the units of its rate: `1 hour`, `2.5 GB-hours`, `<0.0001 GB`. */
export function formatAmount(type: UsageType, amount: number): string {
  const unit = amount === 1 ? unitOf(type) : RATE_CARD[type].unit;
  return amount > 0 && amount < LEAST ? `<${LEAST} ${unit}` : `${AMOUNT.format(amount)} ${unit}`;
}
