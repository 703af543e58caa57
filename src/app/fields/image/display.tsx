import type { FieldOf } from '../../../engine/definitions/definition';
import { isStoredImage } from '../../../engine/field-types/image';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as fieldsStyles from '../fields.module.css';
import * as styles from './image.module.css';

/** A thumbnail and the file's name. */
function Cell({ value }: CellProps<FieldOf<'image'>>) {
  if (!isStoredImage(value)) return null;
  return (
    <span className={fieldsStyles.cellText} title={value.name}>
      <img className={styles.pictureThumb} src={value.url} alt="" loading="lazy" />
      {value.name}
    </span>
  );
}

export default { Cell, inputHeight: () => 88 } satisfies DisplayFacets<FieldOf<'image'>>;
