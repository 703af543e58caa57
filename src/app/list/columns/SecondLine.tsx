import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { fieldTypeOf } from '../../../engine/field-types';
import { resolveColumn, type ColumnSource } from '../../../engine/lists/column-value';
import { embedsOf, recordTitleOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../data/DefinitionsContext';
import * as styles from './columns.module.css';

interface SecondLineProps {
  paths: readonly string[];
  definition: Definition;
  record: ResourceRecord;
}

/** Values of a record as one line of text, without those that are empty. */
export function SecondLine({ paths, definition, record }: SecondLineProps) {
  const { registry } = useDefinitions();
  const texts = paths.flatMap((path) => {
    const source = resolveColumn(path, definition, registry);
    return (source && textOf(source, record, registry)) || [];
  });
  return texts.length === 0 ? null : <small className={styles.secondLine}>{texts.join(' · ')}</small>;
}

function textOf(source: ColumnSource, record: ResourceRecord, registry: Registry): string {
  const { field } = source;
  const relatedRecords = field.to === undefined ? [] : embedsOf(field, source.record(record));
  if (relatedRecords.length > 0)
    return relatedRecords.map((embed) => recordTitleOf(registry.get(field.to), embed)).join(', ');
  return fieldTypeOf(field).toText(source.value(record), field, source.record(record));
}
