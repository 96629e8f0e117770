import { useNavigate, useSearch } from '@tanstack/react-router';

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
}

/** The dialog of a new thing, open where the address says so: links and the palette can open it too. */
export function useCreation(): Creation {
  const search: CreationSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    creating: search.new === 1,
    setCreating: (creating) =>
      void navigate({
        to: '.',
        // What else the address says stays.
        search: (before) => ({ ...before, new: creating ? 1 : undefined }),
        replace: true,
      }),
  };
}
