import { useNavigate } from '@tanstack/react-router';

/** Changes what the page's address says after its `?`: what else it says stays, and so does what one has scrolled to. */
export function useChangeSearch<Search extends object>(): (changes: Search) => void {
  const navigate = useNavigate();
  return (changes) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
}
