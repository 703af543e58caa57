import type { FieldOf } from '../../../engine/definitions/definition';
import { isFileValue } from '../../../engine/field-types/stored-files';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as fieldsStyles from '../fields.module.css';
import * as styles from './image.module.css';

/** A thumbnail and the file's name. */
function Cell({ value }: CellProps<FieldOf<'image'>>) {
  if (!isFileValue(value)) return null;
  return (
    <span className={fieldsStyles.cellText} title={value.name}>
      <img className={styles.pictureThumb} src={value.url} alt="" loading="lazy" />
      {value.name}
    </span>
  );
}

export default { Cell, inputHeight: () => 88 } satisfies DisplayFacets<FieldOf<'image'>>;
