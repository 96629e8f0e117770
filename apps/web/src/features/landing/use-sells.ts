import type { BillingStatus } from '@nephos/contracts';
import { BILLING_STATUS_PATH } from '@nephos/contracts/constants';
import { useEffect, useState } from 'react';

/** Plain `fetch`: the page loads no client. What cannot be found out is as it is by default. */
async function fetchSells(): Promise<boolean> {
  try {
    const response = await fetch(BILLING_STATUS_PATH);
    // Our own server's contracted answer.
    return !response.ok || ((await response.json()) as BillingStatus).enabled;
  } catch {
    return true;
  }
}

/** Whether this server sells plans; false until that is known, so that no price shows on one that does not. */
export function useSells(): boolean {
  const [sells, setSells] = useState(false);
  useEffect(() => {
    let gone = false;
    void fetchSells().then((answer) => !gone && setSells(answer));
    return () => {
      gone = true;
    };
  }, []);
  return sells;
}
