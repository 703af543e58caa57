import { decideAccess } from '../../../engine/access/access-decision';
import type { FieldOf } from '../../../engine/definitions/definition';
import { rollupOf } from '../../../engine/expressions/derivations';
import { fieldTypeOf } from '../../../engine/field-types';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

type NumberCellProps = CellProps<FieldOf<'number'>>;

/** The number with its field's digits; ids are muted. */
function Cell(props: NumberCellProps) {
  const { field, value, record } = props;
  if (field.of !== undefined) return <PartCell {...props} />;
  return (
    <span className={`${styles.cellText} num`} data-muted={field.name === 'id' || undefined}>
      {fieldTypeOf(field).toText(value, field, record)}
    </span>
  );
}

/** A number with that which it is a part of; where its reader may list some of the counted records alone, it says which. */
function PartCell({ field, value, record, registry }: NumberCellProps) {
  const { actor } = useDefinitions();
  const source = registry.get(rollupOf(field).resource);
  const decision = source && decideAccess(actor, source, 'list');
  const reasons = decision?.allowed
    ? decision.rules.flatMap(({ where: condition, reason }) => (condition && reason) || [])
    : [];
  return (
    <span
      className={`${styles.cellText} num`}
      title={reasons.length > 0 ? `${field.label}: ${[...new Set(reasons)].join(', ')}` : undefined}
    >
      {fieldTypeOf(field).toText(value, field, record)}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'number'>>;
