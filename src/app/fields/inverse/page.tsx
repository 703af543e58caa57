import { Link } from 'react-router-dom';
import type { FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { requireValue } from '../../../engine/values/lookups';
import { RecordChip } from '../../chips/RecordChip';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { FieldCell } from '../displays';
import type { CellProps, PageFacets } from '../fieldType';
import StripOfLinks from './StripOfLinks';
import * as styles from '../page-values.module.css';

/** The records that point here, each as a link to it; values side by side as a strip of links. */
function Value(props: CellProps<FieldOf<'inverse'>>) {
  const { field, value } = props;
  if (!Array.isArray(value) || field.distinctBy !== undefined) return <FieldCell {...props} />;
  const records = value as readonly ResourceRecord[];
  if (field.valueStrip !== undefined) return <StripOfLinks id={`page-${field.name}`} {...{ field, records }} />;
  return <Links {...props} records={records} />;
}

function Links({ field, records, registry }: CellProps<FieldOf<'inverse'>> & { records: readonly ResourceRecord[] }) {
  const definition = requireValue(registry.get(field.inverse.resource), `the resource of ${field.name}`);
  const openRecord = useOpenRecord(definition);
  return (
    <ul className={styles.valueMany}>
      {records.map((record) => {
        const { path, onClick } = openRecord(record);
        const chip = <RecordChip definition={definition} record={record} />;
        return (
          <li key={String(record.id)}>
            {path === null ? (
              chip
            ) : (
              <Link to={path} onClick={onClick}>
                {chip}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export default { Value } satisfies PageFacets<FieldOf<'inverse'>>;
