import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { embedsOf, titleOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { Initials } from '../../layout/Initials';

interface CardPersonProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** Whose a record is: initials, and the name for those who do not see them. Nothing where it is nobody's. */
export function CardPerson({ card, definition, record }: CardPersonProps) {
  const { registry } = useDefinitions();
  const field = card.person === undefined ? undefined : definition.fields[card.person];
  const [who] = field ? embedsOf(field, record) : [];
  if (!field || !who) return null;
  const name = titleOf(registry.get(field.to!), who);
  return (
    <span className="card-person" title={name}>
      <Initials name={name} />
      <span className="unseen">
        {field.label} {name}
      </span>
    </span>
  );
}
