import { Dialog, DialogContent, type DialogContentProps, DialogFooter } from './dialog.tsx';
import { FieldSkeletons, Skeleton } from './skeleton.tsx';

export interface DialogSkeletonProps extends Pick<DialogContentProps, 'wide'> {
  /** How many fields come. */
  fields: number;
  onClose: () => void;
}

/** A dialog whose form is still on its way: its frame, with its title, fields and buttons in outline. */
export function DialogSkeleton({ fields, wide, onClose }: DialogSkeletonProps) {
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={<Title />} wide={wide}>
        <div className="flex flex-col gap-4">
          <FieldSkeletons count={fields} />
          <DialogFooter>
            <Skeleton className="h-9 w-20" />
            <Skeleton className="h-9 w-20" />
          </DialogFooter>
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Title() {
  return (
    <>
      <span className="sr-only">Loading…</span>
      <span aria-hidden="true" className="my-1 block h-5 w-40 animate-pulse rounded-md bg-hover" />
    </>
  );
}
