import type { FieldOf } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { shownResource } from '../../../engine/field-types/inverse';
import { RecordChip, ToneChip } from '../../chips/RecordChip';
import { recordTitleOf } from '../../chips/titleOf';
import { Initials } from '../../chips/Initials';
import * as fieldsStyles from '../fields.module.css';
import * as styles from './distinct.module.css';

interface DistinctProps {
  field: FieldOf<'inverse'>;
  /** The targets of the field's records, each once. */
  records: readonly Record<string, unknown>[];
  registry: Registry;
}

/** How many faces are shown; of more, the last place says how many others there are. */
const faces = 4;

/** People as overlapping faces, other records by the first name; `+n` for the others, all names for screen readers and as a tooltip. */
export function Distinct({ field, records, registry }: DistinctProps) {
  const target = registry.get(shownResource(field, registry.get(field.inverse.resource)));
  const names = records.map((record) => recordTitleOf(target, record));
  const title = names.join(', ');
  if (target?.chip?.shape !== 'avatar') {
    const [first, ...rest] = records;
    if (!first) return null;
    return (
      <span className={fieldsStyles.cellMany} title={title}>
        {target?.chip ? (
          <RecordChip definition={target} record={first} />
        ) : (
          <ToneChip tone="neutral">{names[0]}</ToneChip>
        )}
        <Others names={names.slice(1)} count={rest.length} />
      </span>
    );
  }
  const shownCount = names.length > faces ? faces - 1 : names.length;
  return (
    <span className={styles.faces} title={title || field.emptyText}>
      {names.slice(0, shownCount).map((name, index) => (
        <Initials key={index} name={name} />
      ))}
      {names.length === 0 && <Initials name="" />}
      <span className="unseen">{title || (field.emptyText ?? 'Nobody')}</span>
      {names.length > shownCount && (
        <span className={`${styles.moreFaces} num`} aria-hidden="true">
          +{names.length - shownCount}
        </span>
      )}
    </span>
  );
}

function Others({ names, count }: { names: readonly string[]; count: number }) {
  if (count === 0) return null;
  return (
    <>
      <span className={`${fieldsStyles.cellRest} num`} aria-hidden="true">
        +{count}
      </span>
      <span className="unseen">, {names.join(', ')}</span>
    </>
  );
}
