/** A value as the database writes it; nothing is told apart from an empty text. */
export function ValueCell({ value, isCut = false }: { value: string | null; isCut?: boolean }) {
  if (value === null) return <span className="text-faint italic">NULL</span>;
  return (
    <span className="block max-w-80 truncate font-mono text-sm" title={value.slice(0, 500)}>
      {value}
      {isCut && '…'}
    </span>
  );
}
