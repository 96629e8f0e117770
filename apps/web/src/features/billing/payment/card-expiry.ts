export interface CardExpiry {
  expiryMonth: number;
  /** With four digits. */
  expiryYear: number;
}

/** As cards print it, with the whole year: `04/2030`. */
export function formatExpiry({ expiryMonth, expiryYear }: CardExpiry): string {
  return `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
}

const EXPIRY = /^(\d{1,2})\s*[/-]\s*(?:20)?(\d{2})$|^(\d{2})(\d{2})$/;

/** What was typed as a card's expiry: `4/30`, `04 / 2030`, `0430`. Undefined where it is none. */
export function parseExpiry(text: string): CardExpiry | undefined {
  const [, month, year, joinedMonth, joinedYear] = EXPIRY.exec(text.trim()) ?? [];
  const expiryMonth = Number(month ?? joinedMonth);
  const expiryYear = 2000 + Number(year ?? joinedYear);
  return expiryMonth >= 1 && expiryMonth <= 12 ? { expiryMonth, expiryYear } : undefined;
}
