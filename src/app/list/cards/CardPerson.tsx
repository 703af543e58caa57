import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { embedsOf, recordTitleOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Initials } from '../../chips/Initials';
import { CardValue } from './CardValues';

interface CardPersonProps {
  /** The relation to the person responsible. */
  person?: string;
  definition: Definition;
  record: ResourceRecord;
  className?: string;
}

/**
 * The person responsible for a record: initials, with the name for screen readers. If there is none, the field's text
 * for that.
 */
export function CardPerson({ person, definition, record, className }: CardPersonProps) {
  const { registry } = useDefinitions();
  const field = person === undefined ? undefined : definition.fields[person];
  if (!field) return null;
  const [personRecord] = embedsOf(field, record);
  const words = personRecord ? recordTitleOf(registry.get(field.to), personRecord) : field.emptyText;
  if (!words) return null;
  return (
    <span className={className}>
      <CardValue field={field.name}>
        <span title={words}>
          <Initials name={personRecord ? words : ''} />
          <span className="unseen">
            {field.label} {words}
          </span>
        </span>
      </CardValue>
    </span>
  );
}
