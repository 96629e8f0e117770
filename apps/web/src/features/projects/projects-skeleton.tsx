import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProjectsHeader } from './projects-header.tsx';

/** Three cards in the shape of `ProjectCard`. */
export function ProjectsSkeleton() {
  return (
    <>
      <ProjectsHeader action={<Skeleton className="h-9 w-34" />} />
      <CardGridSkeleton label="Loading projects" className="h-56">
        <div className="flex justify-between">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="h-6 w-16 rounded-full" />
        </div>
        <Skeleton className="mt-2 h-5 w-4/5" />
        <Skeleton className="mt-5 h-5 w-3/5" />
        <Skeleton className="mt-auto h-8 w-36" />
      </CardGridSkeleton>
    </>
  );
}
