import type { FieldTypeName } from '../../../engine/definitions/definition';
import { studioOf } from '../../fields/studio';
import { Icon } from '../../icons/Icon';

/** The label of a field type. */
export function typeLabel(type: FieldTypeName): string {
  return studioOf({ type }).label ?? type;
}

/** The icon and label of a field type, as in menus. */
export function TypeLabel({ type }: { type: FieldTypeName }) {
  return (
    <>
      <Icon name={studioOf({ type }).icon} />
      {typeLabel(type)}
    </>
  );
}
