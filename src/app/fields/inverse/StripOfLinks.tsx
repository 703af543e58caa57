import { Link } from 'react-router-dom';
import { formatDate, formatInstant, isDate } from '../../../engine/formats/dates';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { isAnyRelation } from '../../../engine/field-types/relation';
import { firstOf, lastOf, requireValue } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { embedsOf, recordTitleOf } from '../../chips/titleOf';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { inWords, Square } from './Strip';
import * as styles from './strip.module.css';

interface StripOfLinksProps {
  id: string;
  field: FieldOf<'inverse'>;
  /** The latest records, the latest last. */
  records: readonly ResourceRecord[];
}

/** The strip of a form: each square is a link to its record, with its value, its related records and its time as words. */
export default function StripOfLinks({ id, field, records }: StripOfLinksProps) {
  const { registry } = useDefinitions();
  const definition = registry.getOrThrow(field.inverse.resource);
  const openRecord = useOpenRecord(definition);
  const stripField = requireValue(field.valueStrip, `the valueStrip of ${field.name}`);
  const options = definition.fields[stripField]?.options ?? [];
  const optionOf = (record: ResourceRecord) => options.find(({ value }) => value === record[stripField]);
  const partsOf = (record: ResourceRecord) => describe(registry, definition, field, record);
  return (
    <div className={styles.stripField} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-summary`}>
      <ul>
        {records.map((record) => {
          const option = optionOf(record);
          const words = [option?.label ?? 'Unknown', ...partsOf(record)].join(', ');
          const { path, onClick } = openRecord(record);
          return (
            <li key={String(record.id)}>
              {path === null ? (
                <span role="img" aria-label={words} title={words}>
                  <Square option={option} />
                </span>
              ) : (
                <Link to={path} onClick={onClick} aria-label={words} title={words}>
                  <Square option={option} />
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      <p aria-hidden="true">
        <span>{partsOf(firstOf(records)).join(', ')}</span>
        {records.length > 1 && <span>{partsOf(lastOf(records)).join(', ')}</span>}
      </p>
      <span className="unseen" id={`${id}-summary`}>
        {inWords(records.map(optionOf))}
      </span>
    </div>
  );
}

/** Describes a record besides its value: by the records that it shows, and its time. */
function describe(
  registry: Registry,
  definition: Definition,
  field: FieldOf<'inverse'>,
  record: ResourceRecord,
): string[] {
  const titles = field.showFields.flatMap((name) => {
    const relation = definition.fields[name] ?? Object.values(definition.fields).find(({ embed }) => embed === name);
    if (!relation || !isAnyRelation(relation)) return [];
    return embedsOf(relation, record).map((relatedRecord) => recordTitleOf(registry.get(relation.to), relatedRecord));
  });
  const timestamp = record[requireValue(field.latestBy, `latestBy of ${field.name}`)];
  return [
    ...titles,
    ...(typeof timestamp === 'string' ? [isDate(timestamp) ? formatDate(timestamp) : formatInstant(timestamp)] : []),
  ];
}
