import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { holds } from '../../engine/conditions/evaluate';
import { useDefinitions } from '../admin/DefinitionsContext';

interface RowMarkProps {
  definition: Definition;
  record: ResourceRecord;
}

/** The word that marks a record which the definition sets apart; nothing on others. */
export function RowMark({ definition, record }: RowMarkProps) {
  const { actor } = useDefinitions();
  const { highlight } = definition.list;
  if (!highlight || !holds(highlight.when, record, { actor })) return null;
  return (
    <span className="chip title-mark" data-tone={highlight.tone}>
      {highlight.label}
    </span>
  );
}
