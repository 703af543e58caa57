import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { holds } from '../../engine/conditions/evaluate';
import { useSurroundings } from '../admin/useSurroundings';

interface RowMarkProps {
  definition: Definition;
  record: ResourceRecord;
}

/** The label of a highlighted record; nothing on others. */
export function RowMark({ definition, record }: RowMarkProps) {
  const surroundings = useSurroundings(definition);
  const { highlight } = definition.list;
  if (!highlight || !holds(highlight.when, record, surroundings)) return null;
  return (
    <span className="chip title-mark" data-tone={highlight.tone}>
      {highlight.label}
    </span>
  );
}
