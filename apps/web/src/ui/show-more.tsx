import { Button } from './button.tsx';

export interface ShowMoreProps {
  pending: boolean;
  /** Why there is no more yet, for example 'More files could not be loaded.'; undefined unless the last attempt failed. */
  failure: string | undefined;
  onMore: () => void;
  /** What the button does, where that is more than to show. */
  label?: string;
}

/** The end of the part of a list that was fetched so far. */
export function ShowMore({ pending, failure, onMore, label = 'Show more' }: ShowMoreProps) {
  return (
    <div className="mt-8 flex flex-col items-center gap-3">
      {failure && (
        <p role="alert" className="text-danger text-sm">
          {failure}
        </p>
      )}
      <Button onClick={onMore} pending={pending}>
        {failure ? 'Try again' : label}
      </Button>
    </div>
  );
}
