import { Dialog, DialogContent, type DialogContentProps, DialogFooter } from './dialog.tsx';
import { FieldSkeletons, Skeleton, SkeletonGroup } from './skeleton.tsx';

export interface DialogSkeletonProps extends Pick<DialogContentProps, 'title' | 'description' | 'wide'> {
  /** How many fields come. */
  fields: number;
  onClose: () => void;
}

/** A dialog whose form is still on its way: its frame, its title and its fields in outline. */
export function DialogSkeleton({ fields, onClose, ...frame }: DialogSkeletonProps) {
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent {...frame}>
        <SkeletonGroup label="Loading the form">
          <div className="flex flex-col gap-4">
            <FieldSkeletons count={fields} />
            <DialogFooter>
              <Skeleton className="h-9 w-20" />
              <Skeleton className="h-9 w-20" />
            </DialogFooter>
          </div>
        </SkeletonGroup>
      </DialogContent>
    </Dialog>
  );
}
