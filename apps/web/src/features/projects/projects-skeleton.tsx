import { Card } from '../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { ProjectsHeader } from './projects-header.tsx';

const CARDS = ['first', 'second', 'third'];

/** Three cards in the shape of `ProjectCard`. */
export function ProjectsSkeleton() {
  return (
    <>
      <ProjectsHeader action={<Skeleton className="h-9 w-34" />} />
      <SkeletonGroup label="Loading projects">
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {CARDS.map((card) => (
            <div key={card} data-testid="skeleton-card">
              <Card className="flex h-56 flex-col">
                <div className="flex justify-between">
                  <Skeleton className="h-6 w-2/5" />
                  <Skeleton className="h-6 w-16 rounded-full" />
                </div>
                <Skeleton className="mt-2 h-5 w-4/5" />
                <Skeleton className="mt-5 h-5 w-3/5" />
                <Skeleton className="mt-auto h-8 w-36" />
              </Card>
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </>
  );
}
