import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';

const TILES = ['first', 'second', 'third', 'fourth'];

/** Four tiles in outline; side by side where there is room. */
export function TileSkeletons({ className }: { className: string }) {
  return (
    <div className={classNames('grid @4xl/page:grid-cols-4', className)}>
      {TILES.map((tile) => (
        <Card key={tile} className="h-28 px-5 py-4">
          <Skeleton className="mt-1 h-4 w-28 max-w-full" />
          <Skeleton className="mt-3 h-6 w-24 max-w-full" />
          <Skeleton className="mt-2.5 h-4 w-4/5" />
        </Card>
      ))}
    </div>
  );
}
