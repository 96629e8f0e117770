import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { onFormSent } from '../ui/form-sent.ts';
import { useNeed } from './use-refusal.ts';
import type { Permission } from './workspace-roles.ts';

export interface CreationSearch {
  new?: 1;
}

/** What a page with a dialog of a new thing reads from its address: `?new=1` opens it. */
export function creationSearch(search: Record<string, unknown>): CreationSearch {
  return search.new === 1 ? { new: 1 } : {};
}

export interface Creation {
  creating: boolean;
  setCreating: (creating: boolean) => void;
  /** For each button that opens it: it does nothing and says why where the person's role does not hold it. */
  opener: { onClick: () => void; reason?: string };
}

/**
 * The dialog of a new thing, open where the address says so: links and the palette can open it too. Once its form is
 * sent, the address says so no more, so that a reload does not ask again for what may be made already; the dialog stays
 * until it is answered.
 */
export function useCreation(permission: Permission = 'build'): Creation {
  const search: CreationSearch = useSearch({ strict: false });
  const { setAsked } = useAddress();
  const need = useNeed(permission);
  const asked = search.new === 1;
  const [sent, setSent] = useState(false);

  useEffect(() => {
    if (!asked) return;
    return onFormSent(() => {
      setSent(true);
      setAsked(false);
    });
  });

  function setCreating(creating: boolean) {
    setSent(false);
    setAsked(creating);
  }

  return { creating: asked || sent, setCreating, opener: { onClick: () => setCreating(true), ...need } };
}

function useAddress() {
  const navigate = useNavigate();
  const router = useRouter();

  function setAsked(asked: boolean) {
    // As it is now: whoever closes the dialog may have led elsewhere before.
    const search: CreationSearch = router.latestLocation.search;
    if (asked === (search.new === 1)) return;
    void navigate({
      to: '.',
      // What else the address says stays.
      search: (before) => ({ ...before, new: asked ? 1 : undefined }),
      replace: true,
    });
  }

  return { setAsked };
}
