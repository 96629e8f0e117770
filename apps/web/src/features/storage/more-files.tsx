import { Button } from '../../ui/button.tsx';

export interface MoreFilesProps {
  pending: boolean;
  /** Whether the last attempt failed. */
  failed: boolean;
  onMore: () => void;
}

/** The end of the files that were fetched so far. */
export function MoreFiles({ pending, failed, onMore }: MoreFilesProps) {
  return (
    <div className="mt-8 flex flex-col items-center gap-3">
      {failed && (
        <p role="alert" className="text-danger text-sm">
          More files could not be loaded.
        </p>
      )}
      <Button onClick={onMore} pending={pending}>
        {failed ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}
