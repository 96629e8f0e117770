import { createContext, type ReactNode, use, useId } from 'react';
import { classNames } from './class-names.ts';

interface ControlProps {
  id?: string | undefined;
  required?: boolean | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

const FieldContext = createContext<ControlProps>({});

/** What the enclosing `Field` wires into its control. */
export function useFieldControl(): ControlProps {
  return use(FieldContext);
}

export interface FieldProps {
  label: ReactNode;
  /** One sentence of help below the control. */
  hint?: ReactNode;
  /** What is wrong with the present value; takes the hint's place. */
  error?: string | undefined;
  required?: boolean;
  className?: string;
  /** For a label that is not seen where columns have one. */
  labelClassName?: string | undefined;
  /** One control of this folder: `Input`, `Textarea`, `Select` or `Switch`. */
  children: ReactNode;
}

/** A labelled control with its hint or error, wired for assistive technology. */
export function Field({
  label,
  hint,
  error,
  required = false,
  className,
  labelClassName,
  children,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  const control: ControlProps = {
    id,
    required: required || undefined,
    'aria-describedby': note ? noteId : undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label
        htmlFor={id}
        className={classNames(
          'font-medium text-fg text-sm',
          // Not read aloud: the control itself says that it is required.
          required && "after:text-danger after:content-['_*'/'']",
          labelClassName,
        )}
      >
        {label}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {note && (
        <p
          id={noteId}
          role={error ? 'alert' : undefined}
          className={classNames('wrap-anywhere text-sm', error ? 'text-danger' : 'text-faint')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
