import { Notice } from '../../ui/notice.tsx';

/** Says what can be done where no answer told whether the money moved. */
export function UncertainNotice() {
  return (
    <Notice tone="warning" title="It is not known whether this payment was made">
      No answer came. Trying again is safe: it is made once, however often you try. If you close this, look
      among your transactions before you pay again.
    </Notice>
  );
}
