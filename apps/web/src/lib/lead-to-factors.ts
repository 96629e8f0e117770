/** Where the account page shows what is demanded, and how it is set up. */
export const TWO_STEP = 'two-step-login';

const PATH = '/account';

/** Leads who lacks a second factor that is demanded of them to where it is set up, unless they are there. */
export function leadToFactors(): void {
  if (window.location.pathname !== PATH) window.location.assign(`${PATH}#${TWO_STEP}`);
}
