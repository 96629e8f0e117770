import type { Welcome } from '@nephos/contracts';
import { WELCOME_PATH } from '@nephos/contracts/constants';
import { useEffect, useState } from 'react';

/** What a server is by default: for one that does not say what it is. */
const DEFAULT: Welcome = {
  signups: true,
  invitations: true,
  billing: true,
  membersDeploy: true,
  databases: ['postgresql'],
  dns: true,
};

/** Plain `fetch`: the page loads no client. */
async function fetchWelcome(): Promise<Welcome> {
  try {
    const response = await fetch(WELCOME_PATH);
    if (!response.ok) return DEFAULT;
    // Our own server's contracted answer (`Welcome`); the schema itself would cost every visitor the validator.
    return await response.json();
  } catch {
    return DEFAULT;
  }
}

/** What this server has. Until that is `known` no price shows, since it may have none. */
export function useWelcome(): Welcome & { known: boolean } {
  const [welcome, setWelcome] = useState({ ...DEFAULT, billing: false, known: false });
  useEffect(() => {
    let gone = false;
    void fetchWelcome().then((answer) => !gone && setWelcome({ ...answer, known: true }));
    return () => {
      gone = true;
    };
  }, []);
  return welcome;
}
