import { Button } from './button.tsx';

/** A list that is fetched page by page; what an infinite query gives is one. */
export interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

export interface MorePagesProps {
  list: PagedList;
  /** Said where the next page cannot be had, for example "Couldn't load more files." */
  failure: string;
  /** What the button does, where that is more than to show. */
  label?: string | undefined;
}

/** The way to the next page of a list; nothing after its last. */
export function MorePages({ list, failure, label = 'Show more' }: MorePagesProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-8 flex flex-col items-center gap-3">
      {list.isFetchNextPageError && (
        <p role="alert" className="text-danger text-sm">
          {failure}
        </p>
      )}
      <Button onClick={() => void list.fetchNextPage()} pending={list.isFetchingNextPage}>
        {list.isFetchNextPageError ? 'Try again' : label}
      </Button>
    </div>
  );
}
