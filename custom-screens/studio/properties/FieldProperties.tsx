import { useDraft } from '../draft';

/** What can be said of a field. */
export function FieldProperties({ name }: { name: string }) {
  const { source } = useDraft();
  return <pre className="studio-code">{JSON.stringify(source.fields[name], null, 2)}</pre>;
}
