import { Link } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import type { FieldOf } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChip } from '../../chips/RecordChip';
import { embedsOf } from '../../chips/titleOf';
import { FieldCell } from '../displays';
import type { CellProps, PageFacets } from '../fieldType';
import * as styles from '../page-values.module.css';

/** All related records, each as a link to it. */
function Value(props: CellProps<FieldOf<'relations'>>) {
  const { field, record, registry } = props;
  const { actor } = useDefinitions();
  const embeds = embedsOf(field, record);
  if (embeds.length === 0) return <FieldCell {...props} />;
  const target = registry.get(field.to);
  const mayOpen = isGranted(actor, field.to, 'view');
  return (
    <ul className={styles.valueMany}>
      {embeds.map((embed) => (
        <li key={String(embed.id)}>
          {mayOpen ? (
            <Link to={`/${field.to}/${String(embed.id)}`}>
              <RecordChip definition={target} record={embed} />
            </Link>
          ) : (
            <RecordChip definition={target} record={embed} />
          )}
        </li>
      ))}
    </ul>
  );
}

export default { Value } satisfies PageFacets<FieldOf<'relations'>>;
