import type { PaymentProviderInfo } from '@nephos/contracts';
import { Notice } from '../../ui/notice.tsx';

/** A card's number as it is printed: in groups of four. */
export function grouped(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

export interface TestCardsProps {
  cards: PaymentProviderInfo['testCards'];
  disabled: boolean;
  onPick: (number: string) => void;
}

/** Says that no real money moves, and what can be tried instead. */
export function TestCards({ cards, disabled, onPick }: TestCardsProps) {
  return (
    <Notice title="Test mode: no real money moves">
      Enter no card of your own. Choose a test card to fill in the form:
      <ul aria-label="Test cards" className="mt-2 -ml-2 flex max-h-44 flex-col overflow-y-auto sm:max-h-52">
        {cards.map(({ number, outcome }) => (
          <li key={number}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onPick(number)}
              className="w-full rounded-md px-2 py-1 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-55"
            >
              <code className="mr-2 text-fg text-sm">{grouped(number)}</code>
              <span className="inline-block text-faint text-sm">{outcome}</span>
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
